import { asSchema, generateText, type ModelMessage, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { skipTestWithout } from "../../test/support/needs.ts";
import { until } from "../../test/support/sessions.ts";
import { SessionRegistry } from "../session/registry/session-registry.ts";
import { profiles } from "../tools/profiles.ts";
import { type AiSdkTools, createAiSdkTools } from "./ai-sdk.ts";

const create = closedAfterEach(createAiSdkTools);

type ScriptedCall = readonly [toolName: string, input: string];

/** A model that makes these calls, one a step, and then says "done". */
function scripted(calls: readonly ScriptedCall[]): MockLanguageModelV3 {
  const rest = [...calls];
  const usage = {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  };
  return new MockLanguageModelV3({
    doGenerate: async ({ abortSignal }) => {
      abortSignal?.throwIfAborted();
      const [toolName, input] = rest.shift() ?? [];
      if (toolName === undefined || input === undefined) {
        const finishReason = { unified: "stop", raw: "stop" } as const;
        return { content: [{ type: "text", text: "done" }], finishReason, usage, warnings: [] };
      }
      const finishReason = { unified: "tool-calls", raw: "tool_calls" } as const;
      const toolCallId = `call_${rest.length}`;
      return { content: [{ type: "tool-call", toolCallId, toolName, input }], finishReason, usage, warnings: [] };
    },
  });
}

/** What the model is given for its calls. */
async function resultsOf({ tools }: AiSdkTools, calls: readonly ScriptedCall[]): Promise<unknown[]> {
  const { text, response } = await generateText({
    model: scripted(calls),
    tools,
    stopWhen: stepCountIs(calls.length + 1),
    prompt: "go",
  });
  expect(text).toBe("done");
  return response.messages.flatMap((message: ModelMessage) =>
    message.role === "tool" ? message.content.map((part) => ("output" in part ? part.output : part)) : [],
  );
}

describe("tools", () => {
  it("are offered to the model with the schemas of the tool table", async () => {
    const { tools } = create();
    const model = scripted([]);
    await generateText({ model, tools, prompt: "go" });

    expect(model.doGenerateCalls[0]?.tools).toEqual(
      profiles.all.tools.map(({ name, description, inputSchema }) =>
        expect.objectContaining({ type: "function", name, description, inputSchema }),
      ),
    );
  });

  it("are a record by name", async () => {
    const { tools } = create({ profile: "codex" });

    expect(Object.keys(tools)).toEqual(["exec_command", "write_stdin"]);
    const schema = await asSchema(tools["exec_command"]?.inputSchema).jsonSchema;
    expect(schema).toBe(profiles.codex.tools[0]?.inputSchema);
  });
});

describe("calls by generateText", () => {
  it("run a command, then type into a Python REPL", async () => {
    skipTestWithout("python3");
    const results = await resultsOf(create(), [
      ["exec_command", JSON.stringify({ cmd: "echo hi", login: false })],
      ["exec_command", JSON.stringify({ cmd: "python3 -q", login: false, name: "py" })],
      ["write_stdin", JSON.stringify({ session_id: "py", chars: "6 * 7\n", yield_time_ms: 20_000, until: "\\n42\\s" })],
    ]);

    expect(results).toEqual([
      { type: "text", value: expect.stringMatching(/\nProcess exited with code 0, session ID \d+\nOutput:\nhi\n$/) },
      { type: "text", value: expect.stringMatching(/\nProcess running with session ID \d+ \(py\)\n/) },
      { type: "text", value: expect.stringMatching(/^42$/m) },
    ]);
  });

  it("that the model got wrong are answered as errors", async () => {
    const results = await resultsOf(create({ profile: "codex" }), [
      ["exec_command", '{"cmd": 5}'],
      ["exec_command", '{"cmd": "ls'],
      ["bash", "{}"],
    ]);

    expect(results).toEqual([
      { type: "error-text", value: expect.stringContaining("cmd is 5") },
      { type: "error-text", value: expect.stringContaining("JSON") },
      { type: "error-text", value: expect.stringContaining("'bash'") },
    ]);
  });

  it("give the application the whole result", async () => {
    const { steps } = await generateText({
      model: scripted([["exec_command", JSON.stringify({ cmd: "exit 3", login: false })]]),
      tools: create().tools,
      prompt: "go",
    });

    expect(steps[0]?.toolResults[0]?.output).toMatchObject({
      isError: false,
      structured: { exit_code: 3, running: false },
    });
  });

  it("end with the abort signal, and the program goes on", async () => {
    const registry = new SessionRegistry();
    const abort = new AbortController();
    const model = scripted([
      ["exec_command", JSON.stringify({ cmd: "sleep 600", login: false, yield_time_ms: 600_000 })],
    ]);
    try {
      const { tools } = create({ registry });
      const { signal: abortSignal } = abort;
      const run = generateText({ model, tools, stopWhen: stepCountIs(2), prompt: "go", abortSignal });
      await until(() => registry.list().length === 1, "the session");
      abort.abort();

      await expect(run).rejects.toMatchObject({ name: "AbortError" });
      expect(registry.list()).toHaveLength(1);
    } finally {
      await registry.closeAll({ force: true });
    }
  });

  it("are answered as errors after the tools were disposed of", async () => {
    const made = create();
    await made[Symbol.asyncDispose]();

    expect(await resultsOf(made, [["exec_command", '{"cmd": "true"}']])).toEqual([
      { type: "error-text", value: "SESSION_CLOSING: These tools are closed. Create new ones." },
    ]);
  });
});
