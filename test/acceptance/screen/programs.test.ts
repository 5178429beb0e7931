/** What a model reads of the screens of real programs: the selected item can be told, and bars do not clutter. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { screenText } from "../../../src/screen/screen-text.ts";
import type { Session } from "../../../src/session/session.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { waitForAnyScreen } from "../../support/places/far-session.ts";
import { LONG_MS, open, temporaryDirectory } from "../../support/watching.ts";

const SIZE = { cols: 80, rows: 24 };

async function run(program: string, args: readonly string[], cwd?: string): Promise<Session> {
  const env = { LC_ALL: "C.UTF-8", HOME: cwd ?? "/nonexistent" };
  return await open({ program, args, size: SIZE, env, ...(cwd ? { cwd } : {}) });
}

async function textOf(session: Session): Promise<string> {
  return screenText((await waitForAnyScreen(session, { stableMs: 30, deadlineMs: 1_000 })).snapshot);
}

/** The text once this part is in it. */
async function textWith(session: Session, part: string): Promise<string> {
  const deadlineMs = performance.now() + LONG_MS;
  for (;;) {
    const text = await textOf(session);
    if (text.includes(part)) return text;
    if (performance.now() > deadlineMs) throw new Error(`No ${JSON.stringify(part)} in\n${text}`);
  }
}

function highlights(text: string): string[] {
  return [...text.matchAll(/⟦(.*?)⟧/g)].map(([, part = ""]) => part);
}

/** On a busy machine, a program may pause in the middle of drawing. */
async function expectHighlights(session: Session, expected: readonly string[]): Promise<void> {
  await expect.poll(async () => highlights(await textOf(session)), { timeout: LONG_MS }).toEqual(expected);
}

test("whiptail shows which item and which button is selected", async () => {
  skipTestWithout("whiptail");
  const session = await run("whiptail", [
    "--menu",
    "Pick",
    "12",
    "40",
    "3",
    "a",
    "Apple",
    "b",
    "Banana",
    "c",
    "Cherry",
  ]);
  await expectHighlights(session, ["a Apple"]);

  await session.write("\x1b[B");
  await expectHighlights(session, ["b Banana"]);
  await session.write("\t");

  await expectHighlights(session, ["b Banana", "<Ok>"]);
});

test("dialog shows which item and which button is selected", async () => {
  skipTestWithout("dialog");
  const session = await run("dialog", [
    "--checklist",
    "Pick",
    "12",
    "40",
    "3",
    "a",
    "Apple",
    "on",
    "b",
    "Banana",
    "off",
  ]);
  await textWith(session, "⟦[*] a  Apple⟧");

  await session.write("\x1bOB");

  await expectHighlights(session, ["[ ] b  Banana", "<  OK  >"]);
});

test("less shows what was found, and its prompt", async () => {
  skipTestWithout("less");
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "file"), Array.from({ length: 60 }, (_, i) => `row ${i}`).join("\n"));
  const session = await run("less", ["file"], directory);
  await textWith(session, "row 5");

  await session.write("/row 30\r");

  await expectHighlights(session, ["row 30"]);
});

test("vim shows its status line without marks, and what is selected with them", async () => {
  skipTestWithout("vim");
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "file"), "one\ntwo words\nthree\n");
  const options = ["-n", "-i", "NONE", "-u", "NONE", "-c", "set nocompatible laststatus=2 showmode"];
  const session = await run("vim", [...options, "file"], directory);
  await textWith(session, "two words");

  await session.write("2Gwve");

  await expectHighlights(session, ["word"]);
  const text = await textWith(session, "VISUAL");
  expect(text.split("\n").slice(-2)).toEqual([expect.stringMatching(/^file/), expect.stringContaining("VISUAL")]);
});

test("htop shows its selected process, and its bars without marks", async () => {
  skipTestWithout("htop");
  const session = await run("htop", ["--delay=100"], temporaryDirectory());
  const text = await textWith(session, "F10Quit");
  const rows = text.split("\n");

  expect(rows.at(-1)).toMatch(/^F1Help {2}F2Setup/);
  expect(rows.find((row) => row.includes("PID"))).not.toContain("⟦");
  expect(highlights(text).some((part) => /^\d+ \S+/.test(part))).toBe(true);
});
