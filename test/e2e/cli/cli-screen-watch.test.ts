/** `limpet screen --watch`, and pictures of a screen. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { stateOf } from "../../support/screen/desk.ts";
import { readPng } from "../../support/screen/png.ts";
import { showing } from "../../support/screen/shown-session.ts";
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

test("screen --watch needs a terminal", async () => {
  const id = await showing(cli, "echo here; exec sleep 600", "here");

  expect(await cli.limpet(["screen", "-w", String(id)])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("NO_TERMINAL"),
  });
});

test("screen --watch follows the screen until Ctrl+C, and gives the terminal back as it was", async () => {
  const id = await showing(
    cli,
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
  const id = await showing(cli, "echo go; read line; echo bye; exit 3", "go");
  const pane = await tmux.open();

  pane.run(`clear; ${cli.command} screen -w ${id}; echo code=$?`);
  await until(() => pane.ask("#{alternate_on}") === "1", "it watches");
  await cli.limpet(["send", String(id), "x", "--enter"]);
  await pane.shows("code=0");

  expect(pane.screen()).toContain(`go\nx\nbye\n[${id} exited with code 3]\ncode=0`);
});

test("screen --watch --json gives each state of the screen on a line of its own, up to the last", async () => {
  const id = await showing(cli, "echo go; read line; echo bye", "go");

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
  const id = await showing(cli, "printf '\\e[44m\\e[2Jblue'; exec sleep 600", "blue", { cols: 20, rows: 4 });
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
  const id = await showing(cli, "echo here; exec sleep 600", "here");
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
  const id = await showing(cli, "echo here; exec sleep 600", "here");
  const file = join(cli.folder, "mine.svg");
  writeFileSync(file, "mine");

  const refused = await cli.limpet(["screenshot", String(id), "-o", file]);
  expect(refused).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining("--force") });
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect((await cli.limpet(["screenshot", String(id), "-o", file, "--force"])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^<svg /);
  expect((await cli.limpet(["screenshot", String(id), "-o", join(file, "x.svg")])).stderr).toContain("ENOTDIR");
});
