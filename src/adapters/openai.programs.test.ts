import { describe, expect, it } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { skipTestWithout } from "../../test/support/needs.ts";
import { SEED_TOOLS } from "../../test/support/seed-tools.ts";
import { profiles } from "../tools/profiles.ts";
import { createOpenAiTools } from "./openai.ts";

const create = closedAfterEach(createOpenAiTools);

function functionCall(name: string, args: unknown, call_id = "call_1") {
  const json = typeof args === "string" ? args : JSON.stringify(args);
  return { type: "function_call", id: "fc_1", call_id, name, arguments: json, status: "completed" };
}

describe("definitions", () => {
  it("are function tools of the Responses API", () => {
    const inTheirForm = SEED_TOOLS.map(({ inputSchema, ...tool }) => {
      return { type: "function", ...tool, parameters: inputSchema, strict: false };
    });

    expect(create({ profile: "codex" }).tools).toEqual(inTheirForm);
  });

  it("are of all tools by default, as plain JSON", () => {
    const { tools } = create();

    expect(tools.map(({ name }) => name)).toEqual(profiles.all.tools.map(({ name }) => name));
    expect(JSON.parse(JSON.stringify(tools))).toEqual(tools);
  });
});

describe("handleCall", () => {
  it("answers with the output of a command, under the id of the call", async () => {
    const call = functionCall("exec_command", { cmd: "echo hi", login: false }, "call_7");

    const { output, ...rest } = await create().handleCall(call);

    expect(rest).toEqual({ type: "function_call_output", call_id: "call_7" });
    expect(output).toMatch(/^Wall time: .*\nProcess exited with code 0, session ID \d+\nOutput:\nhi\n$/);
  });

  it("keeps a Python REPL between calls", async () => {
    skipTestWithout("python3");
    const { handleCall } = create();
    const started = await handleCall(functionCall("exec_command", { cmd: "python3 -q", login: false }));
    const session_id = /session ID (\d+)/.exec(String(started.output))?.[1];

    const args = { session_id, chars: "6 * 7\n", yield_time_ms: 20_000, until: "\\n42\\s" };
    const { output } = await handleCall(functionCall("write_stdin", args));

    expect(output).toMatch(/^42$/m);
  });

  it("answers arguments that are not JSON with what to do next", async () => {
    const { output } = await create().handleCall(functionCall("exec_command", '{"cmd": "echo'));

    expect(output).toMatch(
      /^BAD_OPTION: The arguments of exec_command are not JSON \(.+\)\. Send the call again with one JSON object\.$/,
    );
  });

  it("answers a call of an unknown tool", async () => {
    const { output } = await create({ profile: "codex" }).handleCall(functionCall("shell", {}));

    expect(output).toBe('BAD_OPTION: The tool "shell" does not exist. Use one of: exec_command, write_stdin.');
  });

  it.each(["", " ", "{}", "null"])("takes the arguments %j for none", async (json) => {
    const { output } = await create({ profile: "unified" }).handleCall(functionCall("list_pty_sessions", json));

    expect(JSON.parse(String(output))).toEqual({ success: true, sessions: [], count: 0 });
  });

  it("rejects when its signal is aborted", async () => {
    const signal = AbortSignal.timeout(50);

    const call = create().handleCall(functionCall("exec_command", { cmd: "sleep 600", login: false }), { signal });

    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("answers after the tools were disposed of", async () => {
    const made = create();
    await made[Symbol.asyncDispose]();

    const { output } = await made.handleCall(functionCall("exec_command", { cmd: "true" }));

    expect(output).toMatch(/^SESSION_CLOSING: /);
  });
});
