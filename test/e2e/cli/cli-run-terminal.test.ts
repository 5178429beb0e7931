/** `limpet run` and recordings at a terminal. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { type Desk, openDesk, stateOf } from "../../support/screen/desk.ts";
import { until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

/** A host takes longer to start than most of these tests. */
let desk: Desk;
beforeAll(() => {
  desk = openDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

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

test("after detaching, a person reads that the time limit is lifted", async () => {
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
