/** What an answer consists of: text and pictures, and structured content only where somebody asked for it. */
import { expect, test } from "vitest";
import { RawClient } from "../../support/mcp.ts";

interface ListedTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

async function listTools(client: RawClient): Promise<readonly ListedTool[]> {
  const { result } = await client.ask({ id: "list", method: "tools/list" });
  return result?.["tools"] as readonly ListedTool[];
}

/** An answer with output, an error, a list and a picture. */
async function answersOf(client: RawClient) {
  const cmd = "printf '\\033[2J\\033[Hshown'; exec sleep 1000";
  const answers = [
    await client.tool(1, "exec_command", { cmd: "echo hi", login: false }),
    await client.tool(2, "read_output", { session_id: "none" }),
    await client.tool(3, "exec_command", { cmd, login: false, name: "shown", until: "shown" }),
    await client.tool(4, "list_sessions", {}),
    await client.tool(5, "read_screen", { session_id: "shown", format: "png" }),
  ];
  return answers.map(({ result }) => result as Readonly<Record<string, unknown>>);
}

test("by default answers are text and pictures, and tools have no output schema", async () => {
  await using client = new RawClient([], { form: "text" });
  await client.initialize();

  const tools = await listTools(client);
  const answers = await answersOf(client);

  expect(tools.filter((tool) => "outputSchema" in tool)).toEqual([]);
  expect(answers.map((answer) => Object.keys(answer).sort())).toEqual(Array(5).fill(["content", "isError"]));
  expect(answers.map(({ content }) => (content as { type: string }[]).map(({ type }) => type))).toEqual([
    ["text"],
    ["text"],
    ["text"],
    ["text"],
    ["text", "image"],
  ]);
});

test("with --structured, answers have their fields, too, and tools an output schema", async () => {
  await using client = new RawClient([], { form: "structured" });
  await client.initialize();

  const tools = await listTools(client);
  const [ran, refused, , listed, screen] = (await answersOf(client)).map((answer) => answer["structuredContent"]);

  expect(tools.filter(({ outputSchema }) => outputSchema?.["type"] !== "object")).toEqual([]);
  expect(ran).toMatchObject({ exit_code: 0, output: "hi\n" });
  expect(refused).toMatchObject({ error: { code: "SESSION_NOT_FOUND" } });
  expect(listed).toMatchObject({ sessions: [{ name: "shown" }] });
  expect(screen).toMatchObject({ format: "png" });
});

test.each(["codex", "unified"])("the profile %s has no structured content either", async (profile) => {
  await using client = new RawClient(["--tools", profile], { form: "text" });
  await client.initialize();
  const tool = profile === "codex" ? "exec_command" : "unified_exec";

  const { result } = await client.tool(1, tool, { cmd: "echo hi" });

  expect(Object.keys(result ?? {}).sort()).toEqual(["content", "isError"]);
});

test("schemas allow parameters that they do not name", async () => {
  await using client = new RawClient([], { form: "text" });
  await client.initialize();

  for (const { name, inputSchema } of await listTools(client)) {
    expect(inputSchema["additionalProperties"], name).not.toBe(false);
  }
});
