/** An agent whose programs run in a sandbox, through its tools. */
import { describe, expect, test } from "vitest";
import type { ProfileName } from "../../../src/tools/profile-limits.ts";
import { skipWithout } from "../../support/needs.ts";
import { openTools, type Toolbox } from "../../support/tools.ts";

skipWithout("landlock");

const plain = { login: false, shell: "/bin/bash" };
const within = { files: "read-only" } as const;
const WRITE = "touch mine && echo written";

async function refusalWithin(tools: Toolbox, name: string, args: unknown): Promise<string> {
  const { text, isError } = await tools.raw(name, args, { within });
  expect(isError).toBe(true);
  return text;
}

test("exec_command takes a sandbox, and the list names it", async () => {
  await using tools = openTools();

  const { text } = await tools.call("exec_command", { cmd: "touch mine; cat", sandbox: "read-only", ...plain });

  expect(text).toContain("touch: cannot touch 'mine': Permission denied");
  expect((await tools.call("list_sessions")).text).toContain(", sandbox: read-only, ");
});

test("a session that is restarted stays in its sandbox", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "cat", sandbox: "read-only", ...plain });

  await tools.sessions.restart(structured["session_id"], {});

  expect((await tools.call("list_sessions")).text).toContain(", sandbox: read-only, ");
});

test("what a person has set applies to exec_command and to the shells of run", async () => {
  await using tools = openTools();

  const started = await tools.call("exec_command", { cmd: WRITE, ...plain }, { within });
  const ran = await tools.call("run", { command: `${WRITE}; echo $LIMPET_SANDBOX` }, { within });

  expect(started.text).toContain("Permission denied");
  expect(ran.text).toMatch(/Permission denied[\s\S]*read-only/);
});

test.each<[ProfileName, string, Record<string, unknown>]>([
  ["codex", "exec_command", { cmd: WRITE, yield_time_ms: 20_000 }],
  ["unified", "unified_exec", { cmd: WRITE, yield_time_ms: 20_000 }],
])("it applies in the profile %s", async (profile, tool, args) => {
  await using tools = openTools(profile);

  expect((await tools.raw(tool, args, { within })).text).toContain("Permission denied");
});

test.each([
  ["off", "no sandbox"],
  ["workspace", "workspace"],
])("asking for %s is refused where a person allows less", async (sandbox, has) => {
  await using tools = openTools();

  expect(await refusalWithin(tools, "exec_command", { cmd: "true", sandbox })).toContain(
    `The sandbox "${has}" is wider than a person allows (read-only). Omit sandbox, or ask for a narrower one.`,
  );
});

test("a session outside of the sandbox cannot be typed into, reused, or run commands in", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "cat", name: "free", ...plain });
  await tools.call("run", { command: "true", shell: "free-shell" });
  const outside = / can do more than a person allows \(no sandbox instead of read-only\)\. Start another session\./;

  expect(await refusalWithin(tools, "write_stdin", { session_id: structured["session_id"], chars: "x\n" })).toMatch(
    outside,
  );
  expect(await refusalWithin(tools, "exec_command", { cmd: "cat", name: "free", reuse: true })).toMatch(outside);
  expect(await refusalWithin(tools, "run", { command: WRITE, shell: "free-shell" })).toMatch(outside);
});

describe("with a default below the ceiling", () => {
  const allowed = { default: { files: "read-only" }, ceiling: { files: "workspace", network: "off" } } as const;
  const show = "echo in $LIMPET_SANDBOX";

  test("an agent gets the default, and more if it asks for it", async () => {
    await using tools = openTools();
    const exec = (args: object) => tools.call("exec_command", { cmd: show, ...args, ...plain }, { within: allowed });

    expect((await exec({})).text).toContain("in read-only");
    expect((await exec({ sandbox: "workspace" })).text).toContain("in workspace");
    expect((await tools.raw("exec_command", { cmd: show, sandbox: "off" }, { within: allowed })).text).toContain(
      'The sandbox "no sandbox" is wider than a person allows (workspace, no network)',
    );
  });

  test("so do the shells of run, which keep the sandbox they were started in", async () => {
    await using tools = openTools();
    const run = (args: object) => tools.raw("run", { command: show, ...args }, { within: allowed });

    expect((await run({})).text).toContain("in read-only");
    expect((await run({ shell: "wide", sandbox: "workspace" })).text).toContain("in workspace");
    expect((await run({ shell: "wide" })).text).toContain("in workspace");
    expect((await run({ sandbox: "workspace" })).text).toMatch(
      /Shell \d+ already runs with another sandbox \(read-only.*\)\. Omit sandbox, or start another shell/,
    );
  });

  test("limits are the default's, up to the ceiling's", async () => {
    await using tools = openTools();
    const limits = { default: { openFiles: 64 }, ceiling: { openFiles: 128 } };
    const exec = (args: object) => tools.raw("exec_command", { cmd: "ulimit -n", ...args, ...plain }, { limits });

    expect((await exec({})).text).toMatch(/^64$/m);
    expect((await exec({ limits: ["openFiles=100"] })).text).toMatch(/^100$/m);
    expect((await exec({ limits: ["openFiles=129"] })).text).toContain(
      "open files 129 is more than a person allows (open files 128). Ask for less, or omit it.",
    );
  });
});
