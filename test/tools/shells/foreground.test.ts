/** What runs inside a session: its name in lists, and what it leaves to the shell if it dies on its own screen. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Session } from "../../../src/session/session.ts";
import { internalsOf } from "../../../src/session/session-internals.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { outputHas, until } from "../../support/sessions.ts";
import { openTools, type Toolbox } from "../../support/tools.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };
const VIM = "vim -u NONE -i NONE -n";
/** Leaves its screen, and the form of its keys, to whoever comes next. */
const DIES = `python3 -c 'import os; os.write(1, b"\\x1b[?1049h\\x1b[?1hDRA" + b"WN"); os.kill(os.getpid(), 9)'`;

/** A shell that is only a program, at its prompt. */
async function openBash(tools: Toolbox): Promise<void> {
  await tools.call("exec_command", { cmd: "bash --norc --noprofile -i", name: "sh", yield_time_ms: 10_000, ...plain });
}

function sessionOf({ registry }: Toolbox): Session {
  const [session] = registry.list();
  if (!session) throw new Error("no session runs");
  return session;
}

function foregroundPid(tools: Toolbox): number {
  const found = internalsOf(sessionOf(tools)).channel.probe?.foreground();
  if (!found) throw new Error("no program is in the foreground");
  return found.pid;
}

test("a list names the program that has the terminal of a shell", async () => {
  skipTestWithout("vim");
  await using tools = openTools();
  await openBash(tools);
  expect((await tools.call("list_sessions")).text).toContain(': "bash --norc --noprofile -i" | ');
  await tools.call("write_stdin", { session_id: "sh", chars: `${VIM}\n` });

  const { text, structured } = await tools.call("list_sessions");

  expect(text).toContain(': "bash --norc --noprofile -i" → vim');
  expect(structured["sessions"]).toMatchObject([{ foreground: "vim" }]);
  expect(await tools.sessions.list({ ended: false })).toMatchObject([{ foreground: "vim" }]);
});

test("a list names the program in a prepared shell, and none when it is idle", async () => {
  await using tools = openTools();
  await tools.call("run", { command: "cat" });
  expect((await tools.call("list_sessions")).text).toContain(" → cat");

  await tools.call("write_stdin", { session_id: "default", chars: "\x04" });

  expect((await tools.call("list_sessions")).text).not.toContain("→");
});

test("the name of the program is one quoted line", async () => {
  await using tools = openTools();
  const program = join(temporaryDirectory(), '"\nidle\u001b[2J');
  copyFileSync("/bin/sleep", program);
  await openBash(tools);
  await tools.call("write_stdin", { session_id: "sh", chars: `cd '${join(program, "..")}'\n` });
  await tools.call("write_stdin", { session_id: "sh", chars: "./* 100\n", yield_time_ms: 250 });

  await until(async () => (await tools.call("list_sessions")).text.includes('→ "'), "the program has the terminal");
  const { text } = await tools.call("list_sessions");

  expect(text.split("\n")).toHaveLength(1);
  expect(text).toContain(' → "\\"\\nidle\\u001b[2J"');
});

test("after a program died on its screen, text and screen of the shell show what it prints", async () => {
  skipTestWithout("python3");
  await using tools = openTools();
  await openBash(tools);
  await tools.call("write_stdin", { session_id: "sh", chars: `${DIES}\n` });
  await outputHas(sessionOf(tools), "Killed");
  await tools.call("write_stdin", { session_id: "sh", chars: "echo vis$((0+1))ble\n" });
  await outputHas(sessionOf(tools), "vis1ble");

  const shown = await tools.call("read_screen", { session_id: "sh" });
  const read = await tools.call("read_output", { session_id: "sh", tail: 5 });

  for (const { text } of [shown, read]) expect(text).toContain("vis1ble");
  expect(shown.text).not.toContain("DRAWN");
});

test("after a program died on its screen in run, the next command is read and shown", async () => {
  skipTestWithout("python3", "vim");
  await using tools = openTools();
  await tools.call("run", { command: DIES });
  expect((await tools.call("run", { command: "echo first" })).text).toContain("\nfirst\n");
  await tools.call("run", { command: VIM });
  process.kill(foregroundPid(tools), "SIGKILL");
  await tools.call("wait_for", { session_ids: ["default"], timeout_ms: 10_000 });

  expect((await tools.call("run", { command: "echo second" })).text).toContain("\nsecond\n");
  const shown = await tools.call("read_screen", { session_id: "default" });
  expect(shown.text).toContain("second");
  expect(shown.text).toContain("first");
});
