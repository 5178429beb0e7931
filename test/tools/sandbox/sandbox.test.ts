/** An agent whose programs run in a sandbox, through its tools. */
import { expect, test } from "vitest";
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
    `The sandbox "${has}" is wider than a person allows here (read-only). Omit sandbox, or ask for a narrower one.`,
  );
});

test("a session outside of the sandbox cannot be typed into, reused, or run commands in", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "cat", name: "free", ...plain });
  await tools.call("run", { command: "true", shell: "free-shell" });
  const outside =
    / can do more than a person allows here \(no sandbox instead of read-only\)\. Start another session\./;

  expect(await refusalWithin(tools, "write_stdin", { session_id: structured["session_id"], chars: "x\n" })).toMatch(
    outside,
  );
  expect(await refusalWithin(tools, "exec_command", { cmd: "cat", name: "free", reuse: true })).toMatch(outside);
  expect(await refusalWithin(tools, "run", { command: WRITE, shell: "free-shell" })).toMatch(outside);
});
