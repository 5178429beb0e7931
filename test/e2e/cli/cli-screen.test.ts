import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { enter, showing, untilShown, untilUsed } from "../../support/screen/shown-session.ts";
import { startTmux, type Tmux } from "../../support/screen/tmux.ts";
import { until } from "../../support/sessions.ts";

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

test("screen prints what a person would see, as plain text into a pipe", async () => {
  const id = await showing(cli, `${MENU}; exec sleep 600`, "Quit");

  expect(await cli.limpet(["screen", String(id)])).toEqual({ code: 0, stdout: SHOWN, stderr: "" });
  expect((await cli.limpet(["screen", String(id), "--marks"])).stdout).toBe("\n  Files\n  ⟦Open⟧ 世\n  Quit‸\n");
  expect(await cli.json("screen", String(id))).toMatchObject({
    size: { cols: 40, rows: 8 },
    lines: ["", "  Files", "  Open 世", "  Quit", "", "", "", ""],
    isAlternate: true,
  });
});

test("screen --until waits until the screen shows a match, and prints the screen", async () => {
  const id = await showing(cli, `printf '\\e[?1049h\\e[2JLoading'; read -r; ${MENU}; exec sleep 600`, "Loading");

  const waiting = cli.limpet(["screen", String(id), "--until", "^ *Qu.t"]);
  await untilUsed(cli, id);
  await enter(cli, id);

  expect(await waiting).toEqual({ code: 0, stdout: SHOWN, stderr: "" });
  expect(await cli.limpet(["screen", String(id), "-u", "Files", "-t", "30", "--marks"])).toEqual({
    code: 0,
    stdout: "\n  Files\n  ⟦Open⟧ 世\n  Quit‸\n",
    stderr: "",
  });
  expect(await cli.json("screen", String(id), "--until", "Files")).toMatchObject({ isAlternate: true });
});

test("screen --until gives up after its timeout, and prints the screen", async () => {
  const id = await showing(cli, `${MENU}; exec sleep 600`, "Quit");

  expect(await cli.limpet(["screen", String(id), "--until", "Saved", "--timeout", "10ms"])).toEqual({
    code: 4,
    stdout: SHOWN,
    stderr: `Timed out: the screen of ${id} does not show "Saved".\n`,
  });
});

test("screen --until ends with the program, and prints its last screen", async () => {
  const id = await showing(cli, `${MENU}; read -r; exit 3`, "Quit");

  const waiting = cli.limpet(["screen", String(id), "--until", "Saved"]);
  await untilUsed(cli, id);
  await enter(cli, id);

  const { code, stdout, stderr } = await waiting;
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: `${id} exited with code 3. Its screen does not show "Saved".\n`,
  });
  expect(stdout).toContain("Files");
});

test("wait --until says that it does not search the screen of a full-screen program", async () => {
  const id = await showing(cli, `${MENU}; exec sleep 600`, "Quit");
  const plain = await showing(cli, "echo Quit; exec sleep 600", "Quit");

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
  const id = await showing(cli, `${MENU}; read -r; printf '\\e[?1049l'; echo Open; exec sleep 600`, "Quit");
  const pane = await tmux.open();

  pane.run(`${cli.command} wait ${id} --until '^Open'; echo $? done`);
  await pane.shows(/shows a full-screen program/);
  await enter(cli, id);

  await pane.shows(/^0 done$/m);
});

test("screen has the colours of the session in a terminal", async () => {
  const id = await showing(cli, `${MENU}; exec sleep 600`, "Quit");
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

test("keys and pastes have the form that the program has asked for", async () => {
  const modes = "\\e[?1h\\e[?2004h\\e[?1000h\\e[?1006h";
  const id = await showing(cli, `stty raw -echo; printf '${modes}ready\\r\\n'; exec cat -v`, "ready");
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
  const id = await showing(cli, "stty raw -echo; printf 'ready\\r\\n'; exec cat -v", "ready");

  const { code, stderr } = await cli.limpet(["send", String(id), "text", "-k", "Click(1,1)"]);

  expect([code, stderr]).toEqual([1, expect.stringContaining("MOUSE_OFF")]);
  await cli.limpet(["send", String(id), "end"]);
  await untilShown(cli, id, "end");
  expect((await cli.limpet(["screen", String(id)])).stdout).toBe("ready\nend\n");
});

test("attaching shows what was drawn long before the output that is played again", async () => {
  const counter = "printf '\\e[4;1H%d' $(seq 20000)";
  const id = await showing(
    cli,
    `printf '\\e[?1049h\\e[2J\\e[2;5H\\e[1mHEADING\\e[0m'; ${counter}; exec sleep 600`,
    "20000",
  );
  const pane = await tmux.open();

  pane.run(`${cli.command} attach --read-only ${id}`);
  await pane.shows(/^ {40}│\n {4}HEADING {29}│\n {40}│\n20000 /);
  expect(pane.ask("#{alternate_on}")).toBe("1");
  pane.press("C-]", "d");
  await pane.shows("still running]");

  expect(pane.ask("#{alternate_on}")).toBe("0");
});
