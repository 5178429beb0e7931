/** `limpet answer --link`: a link to a page with one box, over HTTP, from the command line to the terminal. */
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAIN, textOf } from "../../support/mcp.ts";
import { filesBelow, formsIn, openSecretHost, type SecretHost } from "../../support/secrets.ts";
import { ask, JSON_BODY, signIn } from "../../support/web/ask.ts";

const SECRET = "correct horse battery";
const ASKS = 'read -rsp "Password: " p; echo; echo "length ${#p}"; echo "value $p"; read -r';

let host: SecretHost;
beforeAll(async () => {
  host = await openSecretHost({});
});
afterAll(async () => {
  await host.cli.limpet(["web", "stop"]);
  await host[Symbol.asyncDispose]();
});

test("it works once, answers its prompt, does nothing else, and leaves the password nowhere", async () => {
  const call = { cmd: ASKS, login: false, shell: "/bin/bash", yield_time_ms: 60_000 };
  const { structured } = await host.call("exec_command", call);
  const id = String(structured["session_id"]);
  const { link } = (await host.cli.json("answer", id, "--link")) as { readonly link: string };
  expect(link).toMatch(new RegExp(`^http://.*/#key=[\\w-]{43}&view=/prompt/${id}$`));
  const { origin } = new URL(link);
  const own = link.replace(/&view=.*/, "");
  const { cookie } = await signIn(own);
  const get = (path: string) => ask(origin, path, { headers: { Cookie: cookie } });
  const post = (path: string, body: object) =>
    ask(origin, path, { method: "POST", headers: { Cookie: cookie, ...JSON_BODY }, body: JSON.stringify(body) });

  expect((await signIn(own)).status).toBe(401);
  expect(JSON.parse((await get("/api/me")).text)).toMatchObject({ session: id, isPromptOnly: true });
  for (const path of ["/api/events", "/api/approvals", `/api/sessions/${id}/output`, `/api/sessions/${id}/picture`])
    expect([path, (await get(path)).status]).toEqual([path, 403]);
  expect((await post(`/api/sessions/${id}/input`, { kind: "text", text: "x" })).status).toBe(403);
  const { prompt } = JSON.parse((await get(`/api/sessions/${id}/prompt`)).text);
  expect(await post(`/api/sessions/${id}/prompt`, { token: prompt.token, value: SECRET })).toMatchObject({
    status: 200,
  });

  await expect
    .poll(async () => (await host.call("read_output", { session_id: Number(id) })).text)
    .toContain(`length ${SECRET.length}`);
  expect((await post(`/api/sessions/${id}/prompt`, { token: prompt.token, value: SECRET })).text).toContain(
    "PROMPT_CHANGED",
  );
  expect(formsIn(host.answers.join("\n"), SECRET)).toEqual([]);
  const files = filesBelow(host.cli.folder).filter(({ text }) => formsIn(text, SECRET).length > 0);
  expect(files.map(({ path }) => path)).toEqual([]);
});

test("an MCP client that can show links gets one, and its agent gets what follows the password", async () => {
  await host.cli.limpet(["web"]);
  const asked: Record<string, unknown>[] = [];
  const client = new Client({ name: "agent", version: "1" }, { capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push({ ...params });
    const [own = "", id] = String(asked[0]?.["url"]).split("&view=/prompt/");
    const { cookie } = await signIn(own);
    const path = `/api/sessions/${id}/prompt`;
    const headers = { Cookie: cookie, ...JSON_BODY };
    const { prompt } = JSON.parse((await ask(new URL(own).origin, path, { headers: { Cookie: cookie } })).text);
    const body = JSON.stringify({ token: prompt.token, value: SECRET });
    await ask(new URL(own).origin, path, { method: "POST", headers, body });
    return { action: "accept" };
  });
  const env = { ...process.env, ...host.cli.env } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env }));
  host.cli.closeFirst(client);

  const call = { cmd: ASKS, login: false, shell: "/bin/bash", yield_time_ms: 50_000 };
  const answer = textOf((await client.callTool({ name: "exec_command", arguments: call })) as CallToolResult);

  expect(answer).toMatch(/^A person has typed the password in the browser/);
  expect(answer).toContain(`length ${SECRET.length}`);
  expect(formsIn(answer + JSON.stringify(asked), SECRET)).toEqual([]);
  expect(asked).toHaveLength(1);
});

test("a session that does not wait for a password gets no link", async () => {
  const { stdout } = await host.cli.limpet(["start", "sleep 600"]);

  expect(await host.cli.limpet(["answer", stdout.trim(), "--link"])).toMatchObject({ code: 1, stdout: "" });
});
