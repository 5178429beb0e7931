import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { readPng } from "../../support/screen/png.ts";
import { type Pane, startTmux, type Tmux } from "../../support/screen/tmux.ts";
import { until } from "../../support/sessions.ts";
import { LONG_MS } from "../../support/watching.ts";

let cli: Cli;
let tmux: Tmux;
beforeAll(() => {
  cli = openCli();
  tmux = startTmux(cli.env);
});
afterAll(async () => {
  tmux[Symbol.dispose]();
  await cli[Symbol.asyncDispose]();
});

/** A menu as full-screen programs draw it: an item in reverse video, a colour, a wide character. */
const MENU = "printf '\\e[?1049h\\e[2J\\e[2;3HFiles\\e[3;3H\\e[7mOpen\\e[0m 世\\e[4;3H\\e[31mQuit\\e[0m'";
const SHOWN = "\n  Files\n  Open 世\n  Quit\n";

async function untilShown(id: number, until: string): Promise<string | undefined | null> {
  const wait = { kind: "screen", until, deadlineMs: LONG_MS } as const;
  const on = { kind: "session", key: id } as const;
  return (await cli.sessions.turn({ caller: "test", on, wait, read: { kind: "screen" } })).screen?.reason;
}

/** A session whose screen shows what is asked for. */
async function showing(command: string, what: string, size = { cols: 40, rows: 8 }): Promise<number> {
  const { id } = await startSession(cli.sessions, { command, shell: "/bin/bash", login: false, size });
  expect(await untilShown(id, what)).toBe("matched");
  return id;
}

/** Waits until a call waits for the session. */
async function untilUsed(id: number): Promise<void> {
  const idleMs = async () => (await cli.sessions.list({ ended: true })).find((each) => each.id === id)?.idleMs;
  // The first may be right after a call.
  const isUsed = async () => (await idleMs()) === 0 && (await sleep(5, true)) && (await idleMs()) === 0;
  await until(isUsed, `somebody uses session ${id}`);
}

async function enter(id: number): Promise<void> {
  const input = { strokes: [{ kind: "text", text: "\n" }] } as const;
  await cli.sessions.turn({ caller: "test", on: { kind: "session", key: id }, input });
}

/** The settings and modes of the terminal, asked for in the shell. */
async function stateOf(pane: Pane, name: string): Promise<string> {
  const settings = new RegExp(`^${name}=([0-9a-f:\\n]+)=$`, "m");
  pane.run(`clear; echo ${name}=$(stty -g)=`);
  await pane.shows(settings);
  return `${settings.exec(pane.screen())?.[1]?.replaceAll("\n", "")} ${pane.ask("#{alternate_on} #{cursor_flag} #{wrap_flag}")}`;
}

test("screen prints what a person would see, as plain text into a pipe", async () => {
  const id = await showing(`${MENU}; exec sleep 600`, "Quit");

  expect(await cli.limpet(["screen", String(id)])).toEqual({ code: 0, stdout: SHOWN, stderr: "" });
  expect((await cli.limpet(["screen", String(id), "--marks"])).stdout).toBe("\n  Files\n  ⟦Open⟧ 世\n  Quit‸\n");
  expect(await cli.json("screen", String(id))).toMatchObject({
    size: { cols: 40, rows: 8 },
    lines: ["", "  Files", "  Open 世", "  Quit", "", "", "", ""],
    isAlternate: true,
  });
});

test("screen --until waits until the screen shows a match, and prints the screen", async () => {
  const id = await showing(`printf '\\e[?1049h\\e[2JLoading'; read -r; ${MENU}; exec sleep 600`, "Loading");

  const waiting = cli.limpet(["screen", String(id), "--until", "^ *Qu.t"]);
  await untilUsed(id);
  await enter(id);

  expect(await waiting).toEqual({ code: 0, stdout: SHOWN, stderr: "" });
  expect(await cli.limpet(["screen", String(id), "-u", "Files", "-t", "30", "--marks"])).toEqual({
    code: 0,
    stdout: "\n  Files\n  ⟦Open⟧ 世\n  Quit‸\n",
    stderr: "",
  });
  expect(await cli.json("screen", String(id), "--until", "Files")).toMatchObject({ isAlternate: true });
});

test("screen --until gives up after its timeout, and prints the screen", async () => {
  const id = await showing(`${MENU}; exec sleep 600`, "Quit");

  expect(await cli.limpet(["screen", String(id), "--until", "Saved", "--timeout", "10ms"])).toEqual({
    code: 4,
    stdout: SHOWN,
    stderr: `Timed out: the screen of ${id} does not show "Saved".\n`,
  });
});

test("screen --until ends with the program, and prints its last screen", async () => {
  const id = await showing(`${MENU}; read -r; exit 3`, "Quit");

  const waiting = cli.limpet(["screen", String(id), "--until", "Saved"]);
  await untilUsed(id);
  await enter(id);

  const { code, stdout, stderr } = await waiting;
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: `${id} exited with code 3. Its screen does not show "Saved".\n`,
  });
  expect(stdout).toContain("Files");
});

test("wait --until says that it does not search the screen of a full-screen program", async () => {
  const id = await showing(`${MENU}; exec sleep 600`, "Quit");
  const plain = await showing("echo Quit; exec sleep 600", "Quit");

  const { code, stdout, stderr } = await cli.limpet(["wait", String(id), "--until", "Open", "--timeout", "10ms"]);

  expect({ code, stdout }).toEqual({ code: 4, stdout: `${id}: timed out, still running\n` });
  expect(stderr).toBe(
    `${id} shows a full-screen program. --until searches its output, not its screen. ` +
      `To search its screen: limpet screen ${id} --until REGEX\n`,
  );
  expect(await cli.limpet(["wait", String(plain), "--until", "Open", "--timeout", "10ms"])).toMatchObject({
    code: 4,
    stderr: "",
  });
});

test("wait --until says so while it waits", async () => {
  const id = await showing(`${MENU}; read -r; printf '\\e[?1049l'; echo Open; exec sleep 600`, "Quit");
  const pane = await tmux.open();

  pane.run(`${cli.command} wait ${id} --until '^Open'; echo $? done`);
  await pane.shows(/shows a full-screen program/);
  await enter(id);

  await pane.shows(/^0 done$/m);
});

test("screen has the colours of the session in a terminal", async () => {
  const id = await showing(`${MENU}; exec sleep 600`, "Quit");
  const pane = await tmux.open();

  pane.run(`clear; ${cli.command} screen ${id}; echo done`);
  await pane.shows(/^done$/m);

  expect(pane.coloured()).toMatch(/^ {2}\x1b\[7mOpen\x1b\[0m\S* 世\n {2}\x1b\[31mQuit/m);
});

test.each([
  { words: ["screen"], code: 2 },
  { words: ["screen", "no-such"], code: 3 },
  { words: ["screen", "no-such", "--timeout", "1"], code: 2 },
  { words: ["screen", "no-such", "--until", "x", "--watch"], code: 2 },
  { words: ["screen", "no-such", "--until", "x"], code: 3 },
  { words: ["screenshot", "no-such", "-o", "x.png"], code: 3 },
  { words: ["screenshot", "no-such"], code: 2 },
  { words: ["screenshot", "no-such", "-o", "x.gif"], code: 2 },
  { words: ["screenshot", "no-such", "-o", "x.png", "--theme", "pink"], code: 2 },
  { words: ["screenshot", "no-such", "-o", "x.png", "--scale", "0"], code: 2 },
  { words: ["screenshot", "no-such", "-o", "x.svg", "--scale", "2"], code: 2 },
])("limpet $words exits with $code", async ({ words, code }) => {
  expect((await cli.limpet(words)).code).toBe(code);
});

test("screen --watch needs a terminal", async () => {
  const id = await showing("echo here; exec sleep 600", "here");

  expect(await cli.limpet(["screen", "-w", String(id)])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("NO_TERMINAL"),
  });
});

test("screen --watch follows the screen until Ctrl+C, and gives the terminal back as it was", async () => {
  const id = await showing(
    "stty -echo; echo first; while read line; do printf '\\e[H\\e[2J%s' \"$line\"; done",
    "first",
  );
  const pane = await tmux.open();
  const before = await stateOf(pane, "before");

  pane.run(`${cli.command} screen --watch ${id}`);
  await pane.shows(/^first {35}│\n[\s\S]*Ctrl\+C leaves\.$/);
  expect(pane.ask("#{alternate_on}")).toBe("1");
  await cli.limpet(["send", String(id), "second", "--enter"]);
  await pane.shows(/^second {34}│\n/);
  expect(pane.screen()).not.toContain("first");
  pane.resize(60, 5);
  await pane.shows(/^second {34}│\n/);
  await cli.sessions.resize(id, { cols: 30, rows: 3 });
  await pane.shows(`${id}, 30x3. Ctrl+C leaves.`);
  pane.resize(80, 24);
  pane.press("C-c");
  await until(() => pane.ask("#{alternate_on}") === "0", "it has left");

  expect(await stateOf(pane, "after")).toBe(before);
  expect((await cli.sessions.find(id)).exit).toBe(null);
});

test("screen --watch ends with the program, and leaves its last screen behind", async () => {
  const id = await showing("echo go; read line; echo bye; exit 3", "go");
  const pane = await tmux.open();

  pane.run(`clear; ${cli.command} screen -w ${id}; echo code=$?`);
  await until(() => pane.ask("#{alternate_on}") === "1", "it watches");
  await cli.limpet(["send", String(id), "x", "--enter"]);
  await pane.shows("code=0");

  expect(pane.screen()).toContain(`go\nx\nbye\n[${id} exited with code 3]\ncode=0`);
});

test("screen --watch --json gives each state of the screen on a line of its own, up to the last", async () => {
  const id = await showing("echo go; read line; echo bye", "go");

  const watching = cli.limpet(["screen", "-w", "--json", String(id)]);
  await cli.limpet(["send", String(id), "x", "--enter"]);
  const { stdout, code } = await watching;
  const screens = stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { lines: string[] }).lines);

  expect(code).toBe(0);
  expect(screens.at(-1)?.slice(0, 3)).toEqual(["go", "x", "bye"]);
});

test("screenshot writes a PNG with the session's colours, and says how large it is", async () => {
  const id = await showing("printf '\\e[44m\\e[2Jblue'; exec sleep 600", "blue", { cols: 20, rows: 4 });
  const file = join(cli.folder, "blue.png");

  const told = await cli.limpet(["screenshot", String(id), "-o", "blue.png", "--scale", "2"]);
  const picture = readPng(readFileSync(file));

  expect(told).toEqual({
    code: 0,
    stdout: `Wrote ${file}: ${picture.width}x${picture.height} pixels, ${readFileSync(file).length} bytes.\n`,
    stderr: "",
  });
  expect(picture.width).toBeGreaterThanOrEqual(20 * 9 * 2);
  expect(picture.at(picture.width / 2, picture.height / 2)).toBe("#4480dd");
});

test("screenshot writes an SVG in the theme that is asked for", async () => {
  const id = await showing("echo here; exec sleep 600", "here");
  const told = await cli.json("screenshot", String(id), "-o", "light.svg", "--theme", "light");
  const svg = readFileSync(join(cli.folder, "light.svg"), "utf8");

  expect(told).toEqual({
    id,
    file: join(cli.folder, "light.svg"),
    width: expect.any(Number),
    height: expect.any(Number),
    bytes: Buffer.byteLength(svg),
  });
  expect(svg).toMatch(/^<svg [\s\S]*fill="#ffffff"[\s\S]*here[\s\S]*<\/svg>\n$/);
});

test("screenshot writes over a file only where it is told to", async () => {
  const id = await showing("echo here; exec sleep 600", "here");
  const file = join(cli.folder, "mine.svg");
  writeFileSync(file, "mine");

  const refused = await cli.limpet(["screenshot", String(id), "-o", file]);
  expect(refused).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining("--force") });
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect((await cli.limpet(["screenshot", String(id), "-o", file, "--force"])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^<svg /);
  expect((await cli.limpet(["screenshot", String(id), "-o", join(file, "x.svg")])).stderr).toContain("ENOTDIR");
});

test("keys and pastes have the form that the program has asked for", async () => {
  const modes = "\\e[?1h\\e[?2004h\\e[?1000h\\e[?1006h";
  const id = await showing(`stty raw -echo; printf '${modes}ready\\r\\n'; exec cat -v`, "ready");
  const send = async (...words: string[]) => await cli.limpet(["send", String(id), ...words]);

  await send("a", "-k", "Up");
  await send("--paste", "p", "-k", "F5");
  await send("-k", "Click(2,3)", "b");
  await send("-", "-k", "Left", "--paste", "-e");
  const typed = "a^[OA" + "^[[200~p^[[201~^[[15~" + "b^[[<0;3;2M^[[<0;3;2m" + "^[[200~^[[201~^[OD^M";
  await until(async () => (await cli.limpet(["screen", String(id)])).stdout.includes("^M"), "all is typed");

  expect((await cli.limpet(["screen", String(id)])).stdout.replaceAll(/\s/g, "")).toBe(`ready${typed}`);
});

test("a click is refused where the program has not asked for the mouse, and nothing is typed", async () => {
  const id = await showing("stty raw -echo; printf 'ready\\r\\n'; exec cat -v", "ready");

  const { code, stderr } = await cli.limpet(["send", String(id), "text", "-k", "Click(1,1)"]);

  expect([code, stderr]).toEqual([1, expect.stringContaining("MOUSE_OFF")]);
  await cli.limpet(["send", String(id), "end"]);
  await untilShown(id, "end");
  expect((await cli.limpet(["screen", String(id)])).stdout).toBe("ready\nend\n");
});

test("attaching shows what was drawn long before the output that is played again", async () => {
  const counter = "printf '\\e[4;1H%d' $(seq 20000)";
  const id = await showing(`printf '\\e[?1049h\\e[2J\\e[2;5H\\e[1mHEADING\\e[0m'; ${counter}; exec sleep 600`, "20000");
  const pane = await tmux.open();

  pane.run(`${cli.command} attach --read-only ${id}`);
  await pane.shows(/^ {40}│\n {4}HEADING {29}│\n {40}│\n20000 /);
  expect(pane.ask("#{alternate_on}")).toBe("1");
  pane.press("C-]", "d");
  await pane.shows("still running]");

  expect(pane.ask("#{alternate_on}")).toBe("0");
});
