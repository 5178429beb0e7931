import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOutput, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { type Desk, isAlive, openDesk, programIn, stateOf } from "../../support/screen/desk.ts";
import { until } from "../../support/sessions.ts";
import { LONG_MS } from "../../support/watching.ts";

/** A host takes longer to start than most of these tests. */
let desk: Desk;
beforeAll(() => {
  desk = openDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

test("vim works inside attach inside tmux, and its exit code comes through", async () => {
  skipTestWithout("vim");
  const pane = await desk.tmux.open();
  const before = await stateOf(pane, "before");
  const { id } = await startSession(desk.cli.sessions, { command: `vim -u NONE -n ${join(desk.cli.folder, "file")}` });

  pane.run(`${desk.cli.command} attach ${id}`);
  await pane.shows("~");
  expect(pane.ask("#{alternate_on}")).toBe("1");
  pane.type("iin vim");
  await pane.shows("in vim");
  pane.press("Escape");
  pane.run(":wq");
  await pane.shows(`[${id} exited with code 0]`);

  expect(readFileSync(join(desk.cli.folder, "file"), "utf8")).toBe("in vim\n");
  expect(await stateOf(pane, "after")).toBe(before);
});

test("with --resize the program has the size of the person's terminal, and its own again after", async () => {
  const pane = await desk.tmux.open();
  const command = "trap 'stty size' WINCH; stty size; while :; do read -t 0.05; done";
  const { id } = await startSession(desk.cli.sessions, { command, shell: "/bin/bash", size: { cols: 40, rows: 10 } });

  pane.run(`${desk.cli.command} attach --resize ${id}`);
  await pane.shows("24 80");
  pane.resize(100, 30);
  await pane.shows("30 100");
  pane.press("C-]", "d");
  await pane.shows(`[detached from ${id}, still running]`);

  expect((await desk.cli.sessions.find(id)).size).toEqual({ cols: 40, rows: 10 });
});

test("a person who detaches finds the own terminal as it was", async () => {
  const pane = await desk.tmux.open();
  const { id } = await startSession(desk.cli.sessions, { command: "echo theirs; cat", shell: "/bin/sh" });
  pane.run("clear; echo first of mine; echo second of mine");
  await pane.shows(/^second of mine$/m);

  pane.run(`${desk.cli.command} attach ${id}`);
  await pane.shows(/^theirs/m);
  pane.press("C-]", "d");
  await pane.shows(`[detached from ${id}, still running]`);

  expect(pane.screen()).toMatch(/^first of mine\nsecond of mine\n.* attach \d+\n\[detached/m);
  expect(pane.everything()).not.toContain("theirs");
});

test("detaching from a full-screen program leaves the terminal as it was, and the program running", async () => {
  skipTestWithout("vim");
  const pane = await desk.tmux.open();
  const before = await stateOf(pane, "before");
  const { id } = await startSession(desk.cli.sessions, { command: "vim -u NONE -n -c 'set mouse=a'", name: "editor" });

  pane.run(`${desk.cli.command} attach editor`);
  await until(() => pane.ask("#{mouse_any_flag}") === "1", "the mouse is vim's");
  pane.press("C-]", "d");
  await pane.shows(`[detached from ${id} (editor), still running]`);
  const after = await stateOf(pane, "after");
  pane.run(`${desk.cli.command} attach editor`);
  await until(() => pane.ask("#{alternate_on}") === "1", "vim again");

  expect(after).toBe(before);
  pane.press("C-]", "d");
  await pane.shows("still running]");
});

test("a person who attaches again sees the screen that the program has drawn long ago", async () => {
  skipTestWithout("vim");
  const pane = await desk.tmux.open();
  const { id } = await startSession(desk.cli.sessions, { command: "vim -u NONE -n" });
  await waitForSession(desk.cli.sessions, { keys: [id], deadlineMs: LONG_MS });
  await desk.cli.sessions.write(
    id,
    "i".concat(Array.from({ length: 20 }, (_, line) => `line ${line}`).join("\r"), "\x1b"),
  );

  for (const look of ["first", "second"]) {
    pane.run(`clear; ${desk.cli.command} attach ${id}`);
    await pane.shows(/^line 0$[\s\S]*^line 19$/m);
    pane.press("C-]", "d");
    await pane.shows("still running]");
    pane.run(`echo ${look} look`);
  }
});

test.each(["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const)(
  "%s gives the terminal back as it was",
  async (signal) => {
    skipTestWithout("vim");
    const pane = await desk.tmux.open();
    const before = await stateOf(pane, "before");
    const { id } = await startSession(desk.cli.sessions, { command: "vim -u NONE -n" });
    pane.run(`${desk.cli.command} attach ${id}`);
    await until(() => pane.ask("#{alternate_on}") === "1", "vim");
    const pid = programIn(pane);

    process.kill(pid, signal);
    await until(() => !isAlive(pid), "attach has ended");
    expect(await stateOf(pane, "after")).toBe(before);
    expect((await desk.cli.sessions.find(id)).exit).toBe(null);
  },
);

test("when the host dies, the terminal is as it was and the person is told", async () => {
  skipTestWithout("vim");
  await using desk = openDesk();
  const pane = await desk.tmux.open();
  const before = await stateOf(pane, "before");
  const { id } = await startSession(desk.cli.sessions, { command: "vim -u NONE -n" });
  pane.run(`${desk.cli.command} attach ${id}; echo code=$?`);
  await until(() => pane.ask("#{alternate_on}") === "1", "vim");

  process.kill(await desk.cli.hostPid(), "SIGKILL");
  await pane.shows(/HOST_GONE[\s\S]*code=7/);

  expect(await stateOf(pane, "after")).toBe(before);
});

test.each(["attach", "attach --read-only", "logs -f", "screen -w"])(
  "a session cannot be shown in itself, which would never end: %s",
  async (words) => {
    const { cli } = desk;
    const shell = "/bin/bash";
    // Wide enough for the command lines: readline redraws what wraps.
    const size = { cols: 200, rows: 24 };
    const { id } = await startSession(cli.sessions, { command: "bash --norc", shell, size });
    const other = await startSession(cli.sessions, { command: "echo theirs", shell });
    await waitForSession(cli.sessions, { keys: [other.id], onInput: false });
    await waitForSession(cli.sessions, { keys: [id] });

    await cli.sessions.write(id, `${cli.command} ${words} ${id}; echo code=$?\r`);
    await waitForSession(cli.sessions, { keys: [id], until: "code=\\d", onInput: false });
    await waitForSession(cli.sessions, { keys: [id] });
    await cli.sessions.write(id, `${cli.command} ${words} ${other.id}; echo shown=$?\r`);
    await waitForSession(cli.sessions, { keys: [id], until: "shown=\\d", onInput: false });

    const { text } = await readOutput(cli.sessions, id, { kind: "text" });
    expect(text).toContain(`BAD_OPTION: This command runs inside session ${id} and would show its own output forever.`);
    expect(text).toMatch(/^code=2$/m);
    expect(text).toMatch(/^shown=0$/m);
  },
);
