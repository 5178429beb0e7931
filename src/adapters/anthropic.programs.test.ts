import { describe, expect, it } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { skipTestWithout } from "../../test/support/needs.ts";
import { SEED_TOOLS } from "../../test/support/seed-tools.ts";
import { profiles } from "../tools/profiles.ts";
import { createAnthropicTools } from "./anthropic.ts";

const create = closedAfterEach(createAnthropicTools);

function toolUse(name: string, input: unknown, id = "toolu_1") {
  return { type: "tool_use", id, name, input };
}

describe("definitions", () => {
  it("are tools of the Messages API", () => {
    const inTheirForm = SEED_TOOLS.map(({ inputSchema, ...tool }) => ({ ...tool, input_schema: inputSchema }));

    expect(create({ profile: "codex" }).tools).toEqual(inTheirForm);
  });

  it("have the schemas of the tool table, all of them of objects", () => {
    const schemas = create().tools.map(({ input_schema }) => input_schema);

    expect(schemas).toEqual(profiles.all.tools.map(({ inputSchema }) => ({ ...inputSchema, type: "object" })));
    expect(profiles.all.tools.map(({ inputSchema }) => inputSchema["type"])).toEqual(schemas.map(() => "object"));
  });
});

describe("handleCall", () => {
  it("answers with a result block under the id of the call", async () => {
    const call = toolUse("exec_command", { cmd: "echo hi; exit 3", login: false }, "toolu_7");

    const { content, ...rest } = await create().handleCall(call);

    expect(rest).toEqual({ type: "tool_result", tool_use_id: "toolu_7", is_error: false });
    expect(content).toMatch(/^Wall time: .*\nProcess exited with code 3, session ID \d+\nOutput:\nhi\n$/);
  });

  it("keeps a Python REPL between calls", async () => {
    skipTestWithout("python3");
    const { handleCall } = create();
    const started = await handleCall(toolUse("exec_command", { cmd: "python3 -q", login: false, name: "py" }));

    const input = { session_id: "py", chars: "6 * 7\n", yield_time_ms: 20_000, until: "\\n42\\s" };
    const { content } = await handleCall(toolUse("write_stdin", input));

    expect(started.is_error).toBe(false);
    expect(content).toMatch(/^42$/m);
  });

  it.each([
    [
      "an unknown tool",
      toolUse("bash", {}),
      'BAD_OPTION: The tool "bash" does not exist. Use one of: run, exec_command, ',
    ],
    [
      "a misspelt parameter",
      toolUse("exec_command", { cmd: "ls", work_dir: "/" }),
      'BAD_OPTION: exec_command has no parameter "work_dir". Did you mean workdir?',
    ],
    ["no object as input", toolUse("exec_command", "ls"), "BAD_OPTION: "],
    ["an unknown session", toolUse("write_stdin", { session_id: 1e9, chars: "" }), "SESSION_NOT_FOUND: "],
  ])("marks the answer to %s as an error", async (_what, call, beginning) => {
    const { content, is_error } = await create().handleCall(call);

    expect(is_error).toBe(true);
    expect(content.slice(0, beginning.length)).toBe(beginning);
  });

  it("rejects when its signal is aborted", async () => {
    const signal = AbortSignal.timeout(50);

    const call = create().handleCall(toolUse("exec_command", { cmd: "sleep 600", login: false }), { signal });

    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("answers after the tools were disposed of", async () => {
    const made = create();
    await made[Symbol.asyncDispose]();

    expect(await made.handleCall(toolUse("exec_command", { cmd: "true" }))).toMatchObject({ is_error: true });
  });
});
