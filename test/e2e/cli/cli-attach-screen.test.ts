/** What a person who attaches sees of a program that has drawn long before. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import type { Cli } from "../../support/cli.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { type Desk, MODES, openDesk, stateOf } from "../../support/screen/desk.ts";
import { until } from "../../support/sessions.ts";
import { LONG_MS } from "../../support/watching.ts";

/** Those that decide what keys send, and how the screen looks. */
const KEY_MODES = "#{alternate_on} #{cursor_flag} #{keypad_cursor_flag} #{keypad_flag} #{mouse_any_flag}";

/** A host takes longer to start than most of these tests. */
let desk: Desk;
beforeAll(() => {
  desk = openDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

/** The same as the person's, so that attaching changes nothing. */
const PANE_SIZE = { cols: 80, rows: 24 };
/** More than is played again to a person who attaches. */
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
])(
  "a person who attaches to a $name that has printed much has its screen and modes, as if it ran here",
  async (program) => {
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
  },
);

test("modes that were set before much was printed are those of a person who attaches, and a paste comes as one", async () => {
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
