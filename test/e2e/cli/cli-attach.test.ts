import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readOutput, runCommand, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";

import { type Cli, openCli } from "../../support/cli.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { type Pane, startTmux, type Tmux } from "../../support/screen/tmux.ts";
import { until } from "../../support/sessions.ts";
import { LONG_MS, temporaryDirectory } from "../../support/watching.ts";

/** All that a program can leave switched on in a terminal, as tmux knows it. */
const MODES =
  "#{alternate_on} #{cursor_flag} #{insert_flag} #{keypad_cursor_flag} #{keypad_flag} #{mouse_any_flag} #{wrap_flag} #{origin_flag} #{scroll_region_upper} #{scroll_region_lower}";

/** Those that decide what keys send, and how the screen looks. */
const KEY_MODES = "#{alternate_on} #{cursor_flag} #{keypad_cursor_flag} #{keypad_flag} #{mouse_any_flag}";

interface Desk extends AsyncDisposable {
  readonly cli: Cli;
  readonly tmux: Tmux;
}

function openDesk(): Desk {
  const cli = openCli();
  const tmux = startTmux(cli.env);
  return {
    cli,
    tmux,
    async [Symbol.asyncDispose]() {
      tmux[Symbol.dispose]();
      await cli[Symbol.asyncDispose]();
    },
  };
}

/** A host takes longer to start than most of these tests. */
let desk: Desk;
beforeAll(() => {
  desk = openDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

/** The settings and modes of the terminal, asked for in the shell. */
async function stateOf(pane: Pane, name: string): Promise<string> {
  // Longer than a line, so tmux shows it in two.
  const settings = new RegExp(`^${name}=([0-9a-f:\\n]+)=$`, "m");
  pane.run(`clear; echo ${name}=$(stty -g)=`);
  await pane.shows(settings);
  return `${settings.exec(pane.screen())?.[1]?.replaceAll("\n", "")} ${pane.ask(MODES)}`;
}

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

test("whoever detaches finds the own terminal as it was", async () => {
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

test("whoever attaches again sees the screen that the program has drawn long ago", async () => {
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

/** The same as the person's, so that attaching changes nothing. */
const PANE_SIZE = { cols: 80, rows: 24 };
/** More than is played again to whoever attaches. */
const LONG_BYTES = 200_000;

/** Makes the program draw its screen until it has printed so much. */
async function redrawOften({ sessions }: Cli, id: number): Promise<void> {
  const printed = async () => (await sessions.find(id)).outputBytes;
  for (let before = -1; before < LONG_BYTES; ) {
    before = await printed();
    await sessions.write(id, "\x0c");
    await until(async () => (await printed()) > before, "it has drawn its screen");
  }
  await waitForSession(sessions, { keys: [id], quietMs: 300, onInput: false, deadlineMs: LONG_MS });
}

test.each([
  { name: "vim", command: (file: string) => `vim -u NONE -n -c 'set mouse=a number' ${file}` },
  { name: "less", command: (file: string) => `less --mouse ${file}` },
])("whoever attaches to a $name that has printed much has its screen and modes, as if it ran here", async (program) => {
  skipTestWithout(program.name);
  const { cli } = desk;
  const file = join(cli.folder, "file.txt");
  writeFileSync(file, Array.from({ length: 400 }, (_, line) => `${line} ${"lorem ipsum ".repeat(5)}\n`).join(""));
  const command = program.command(file);
  const [pane, direct] = [await desk.tmux.open(), await desk.tmux.open()];
  direct.run(`TERM=xterm-256color ${command}`);
  await direct.shows("lorem ipsum");
  await until(() => direct.ask(MODES).startsWith("1 "), "it has the whole screen");
  direct.press("C-l");
  const before = await stateOf(pane, "before");
  const { id } = await startSession(cli.sessions, { command, size: PANE_SIZE });
  await redrawOften(cli, id);

  pane.run(`${cli.command} attach ${id}`);
  await until(
    () => pane.ask(KEY_MODES) === direct.ask(KEY_MODES) && pane.screen() === direct.screen(),
    () => `the same:\n${pane.ask(KEY_MODES)}\n${pane.screen()}\n---\n${direct.ask(KEY_MODES)}\n${direct.screen()}`,
  );
  for (const each of [pane, direct]) each.press("Down", "Down", "Down");
  await until(
    () => pane.screen() === direct.screen(),
    () => `both have moved:\n${pane.screen()}\n---\n${direct.screen()}`,
  );
  pane.press("C-]", "d");
  await pane.shows("still running]");

  expect(await stateOf(pane, "after")).toBe(before);
});

test("modes that were set before much was printed are those of whoever attaches, and a paste comes as one", async () => {
  const { cli } = desk;
  const pane = await desk.tmux.open();
  const before = await stateOf(pane, "before");
  const modes = "\\033[?1h\\033=\\033[?2004h\\033[?1002h\\033[?1006h\\033[?25l\\033[4h\\033[?7l\\033[3;20r";
  const command = `printf '${modes}\\033[20;1H'; seq -w 1 40000; stty -echo -icanon; printf 'at the end'; exec cat -v`;
  const { id } = await startSession(cli.sessions, { command, shell: "/bin/sh", size: PANE_SIZE });
  await waitForSession(cli.sessions, { keys: [id], until: "at the end", onInput: false, deadlineMs: LONG_MS });

  pane.run(`${cli.command} attach ${id}`);
  await pane.shows(/^39999\n40000\nat the end$/m);
  expect(pane.ask(KEY_MODES)).toBe("1 0 1 1 1");
  pane.paste("pasted");
  await pane.shows("at the end^[[200~pasted^[[201~");
  pane.press("C-]", "d");
  await pane.shows("still running]");

  expect(await stateOf(pane, "after")).toBe(before);
});

test("a smaller terminal shows the part of the session's screen that has the caret", async () => {
  const { cli } = desk;
  const pane = await desk.tmux.open({ cols: 40, rows: 10 });
  const command = "seq -w 1 40000; printf 'wide %0100d end\\nat the end' 0; exec cat";
  const { id } = await startSession(cli.sessions, { command, shell: "/bin/sh", size: { cols: 120, rows: 30 } });
  await waitForSession(cli.sessions, { keys: [id], until: "at the end", onInput: false, deadlineMs: LONG_MS });

  pane.run(`clear; ${cli.command} attach -r ${id}`);

  await pane.shows(/^39999\n40000\nwide 0{35}\nat the end$/m);
  expect((await cli.sessions.find(id)).size).toEqual({ cols: 120, rows: 30 });
  pane.press("C-]", "d");
  await pane.shows("still running]");
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

test("two people of different sizes see the same, the session keeps its size, and one who only looks types nothing", async () => {
  const size = { cols: 70, rows: 20 };
  const [one, other] = [await desk.tmux.open(), await desk.tmux.open({ cols: 60, rows: 15 })];
  const { id } = await startSession(desk.cli.sessions, { command: "cat", shell: "/bin/sh", size });
  one.run(`clear; ${desk.cli.command} attach ${id}`);
  await one.shows("70x20");
  one.run("first");
  await one.shows(/first *│?\nfirst/);

  other.run(`clear; ${desk.cli.command} attach ${id} --read-only`);
  await other.shows(/first\nfirst/);
  other.run("nothing");
  await other.shows("Read-only: keys do not go to the program.");
  one.run("second");
  await other.shows(/second\nsecond/);
  await one.shows(/second *│?\nsecond/);
  expect((await desk.cli.sessions.find(id)).size).toEqual(size);
  other.press("C-]", "d");
  await other.shows("still running]");
  one.press("C-d");
  await one.shows("exited with code 0");

  const { text } = await readOutput(desk.cli.sessions, id, { kind: "text" });
  expect(text).toBe("first\nfirst\nsecond\nsecond\n");
  expect(one.screen()).toMatch(/^second\nsecond\n\[\d+ exited with code 0\]$/m);
});

test("of two people who give the session their size, the last one counts, and after both it has its own", async () => {
  const size = { cols: 130, rows: 33 };
  const [one, other] = [await desk.tmux.open(), await desk.tmux.open({ cols: 60, rows: 15 })];
  const { id } = await startSession(desk.cli.sessions, { command: "echo here; exec cat", shell: "/bin/sh", size });
  const cols = async () => (await desk.cli.sessions.find(id)).size?.cols;
  await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });

  one.run(`clear; ${desk.cli.command} attach --resize ${id}`);
  await until(async () => (await cols()) === 80, "the first one's size");
  other.run(`clear; ${desk.cli.command} attach --resize ${id}`);
  await until(async () => (await cols()) === 60, "the second one's size");
  const told = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  one.press("C-]", "d");
  await one.shows("still running]");
  expect(await cols()).toBe(60);
  process.kill(programIn(other), "SIGKILL");
  await until(async () => (await cols()) === 130, "its own size");

  expect(told.around.resizedTo).toEqual({ cols: 60, rows: 15 });
  const after = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  expect(after.around.resizedTo).toEqual(size);
  const again = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  expect(again.around.resizedTo).toBe(null);
});

test("the agent is told how much the person has typed, also while the session is held", async () => {
  const pane = await desk.tmux.open();
  const { id } = await startSession(desk.cli.sessions, { command: "cat", shell: "/bin/sh" });
  await desk.cli.sessions.write(id, "agent\n", { caller: "agent" });
  expect((await desk.cli.limpet(["hold", String(id)])).code).toBe(0);

  pane.run(`clear; ${desk.cli.command} attach ${id}`);
  await pane.shows(/agent\nagent/);
  pane.run("person");
  await pane.shows(/person\nperson/);
  pane.press("C-]", "d");
  await pane.shows("still running]");

  const { around } = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  expect(around.typedByOthers).toBe("person\r".length);
  await expect(desk.cli.sessions.write(id, "no\n", { caller: "agent" })).rejects.toThrow("A person holds session");
  expect((await desk.cli.limpet(["release", String(id)])).stdout).toBe(`Released: ${id}\n`);
});

test("whoever is attached to an agent's shell stays when its commands end", async () => {
  const pane = await desk.tmux.open();
  const run = (command: string) => runCommand(desk.cli.sessions, { caller: "agent", shell: "agent", command });
  const { id } = await run("echo first-command");

  pane.run(`clear; ${desk.cli.command} attach ${id}`);
  await pane.shows(/^❯ echo first-command {2}\[[\d:]+\]\nfirst-command\n└ exit code 0 after [\d.]+m?s$/m);
  for (const word of ["second", "third"]) {
    await run(`echo ${word}-command; exit 3 | cat; (exit 4)`);
    await pane.shows(new RegExp(`^❯ echo ${word}-command.*\n${word}-command\n└ exit code 4 after [\\d.]+m?s$`, "m"));
  }
  const seconds = uniqueSeconds();
  const silent = run(`sleep ${seconds}`);
  await pane.shows(/^❯ sleep \d+ {2}\[[\d:]+\]$/m);
  // The shell itself does not pass on a Ctrl+C that comes before.
  await until(() => pidsWith(`sleep\0${seconds}`).length > 0, "it sleeps");
  pane.press("C-c");
  await silent;
  await pane.shows(/^└ exit code 130 after/m);
  pane.run("echo typed-$((6 * 7))");
  await pane.shows("typed-42");
  pane.press("C-]", "d");

  await pane.shows("still running]");
  const { text } = await readOutput(desk.cli.sessions, id, { kind: "text" });
  expect(text).toContain("typed-42");
  expect(text).not.toContain("❯");
});

test("limpet run at a terminal is as if the program had been started there", async () => {
  const pane = await desk.tmux.open();
  const before = await stateOf(pane, "before");

  pane.run(`${desk.cli.command} run 'stty size; read -p name: name; echo hello $name; exit 4'; echo code=$?`);
  await pane.shows(/^name:/m);
  pane.run("you");
  await pane.shows(/24 80\nname:you\nhello you[\s\S]*code=4/);
  pane.run(`${desk.cli.command} run 'echo started; sleep 1000'; echo code=$?`);
  await pane.shows(/^started/m);
  pane.press("C-c");
  await pane.shows("code=130");

  expect(await stateOf(pane, "after")).toBe(before);
});

test("run detaches with the key that config.json names", async () => {
  const config = temporaryDirectory();
  mkdirSync(join(config, "limpet"));
  writeFileSync(join(config, "limpet", "config.json"), '{ "detachKey": "Ctrl+A" }');
  const pane = await desk.tmux.open();

  pane.run(`XDG_CONFIG_HOME=${config} ${desk.cli.command} run 'echo started; sleep 1000'; echo code=$?`);
  await pane.shows(/^started/m);
  pane.press("C-a");
  await pane.shows("code=0");

  expect(pane.screen()).toMatch(/^\[detached; \d+ keeps running/m);
});

test("whoever detaches is told that the time limit is lifted", async () => {
  const pane = await desk.tmux.open();

  pane.run(`${desk.cli.command} run -t 600 'echo started; sleep 1000'; echo code=$?`);
  await pane.shows(/^started/m);
  pane.press("C-]");
  await pane.shows("code=0");

  expect(pane.screen()).toMatch(/^\[detached; \d+ keeps running without its time limit: limpet attach \d+\]$/m);
});

test.each([
  { cols: 0, rows: 0, size: "24 80" },
  { cols: 600, rows: 501, size: "500 500" },
])("a program runs in a terminal of $cols columns and $rows rows as $size", async ({ cols, rows, size }) => {
  const pane = await desk.tmux.open();

  pane.run(`script -qec "stty cols ${cols} rows ${rows}; ${desk.cli.command} run 'stty size'" /dev/null; echo code=$?`);
  await pane.shows("code=0");

  expect(pane.screen()).toMatch(new RegExp(`^${size}$`, "m"));
});

test("the recording of a killed session replays to the screen that a person saw live", async () => {
  skipTestWithout("vim");
  const { cli } = desk;
  const pane = await desk.tmux.open();
  const [cast, raw] = [join(cli.folder, "killed.cast"), join(cli.folder, "killed.raw")];
  const command = `vim -u NONE -n -c 'syntax on' -c 'set number' ${join(cli.folder, "text.c")}`;
  const { id } = await startSession(cli.sessions, { command, size: { cols: 80, rows: 24 } });
  await cli.sessions.record(id, { file: cast });
  pane.run(`${cli.command} attach ${id}`);
  await pane.shows("~");
  pane.type("iint main() { return 7; } /* grün 日本 */");
  pane.press("Escape");
  pane.type("yy20p:split");
  pane.press("Enter");
  // Two windows, and then a word that vim writes last.
  await pane.shows(/text\.c \[\+\][\s\S]*text\.c \[\+\][\s\S]*^:split/m);
  pane.run(":echo 'dra' . 'wn'");
  await pane.shows(/12[^\n]*grün 日本[\s\S]*\ndrawn$/);
  const live = pane.screen();

  await cli.sessions.close(id, { force: true });
  await pane.shows("ready>");
  writeFileSync(raw, (await cli.limpet(["replay", cast, "--speed", "max"])).stdout);
  const other = await desk.tmux.open();
  other.run(`clear; cat ${raw}; sleep 1000`);
  await until(
    () => other.screen() === live,
    () => `the same screen:\n${live}\n---\n${other.screen()}`,
  );
});

/** The program that runs in the foreground of a pane's shell. */
function programIn(pane: Pane): number {
  const shell = pane.ask("#{pane_pid}");
  const pid = Number.parseInt(readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8"), 10);
  if (!(pid > 1)) throw new Error(`No program runs in the shell ${shell}.`);
  return pid;
}

function isAlive(pid: number): boolean {
  return environmentOf(pid) !== "";
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
