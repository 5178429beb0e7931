/**
 * Our screen beside that of tmux, on the same input: 286 sequences and what real programs printed, most of them
 * full-screen. They are equal, or the difference is explained here. `npx vitest run -u` writes the golden files anew,
 * `scripts/record-screens.mjs` records programs.
 */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { CASE_SIZE } from "../../support/screen/screen-case.ts";
import { SCREEN_CASES } from "../../support/screen/screen-cases.ts";
import { ourScreen } from "../../support/screen/shown-screen.ts";
import { type ShownScreen, TmuxScreen } from "../../support/screen/tmux-screen.ts";

const PROGRAM_SIZE = { cols: 80, rows: 24 };
const RECORDINGS = fileURLToPath(new URL("../../corpus/screens/", import.meta.url));

/** Why we differ, by the names of the cases. */
const EXPLAINED: readonly (readonly [RegExp, string])[] = [
  [/^move [ae] /, "tmux does not know HPR and VPR; xterm does."],
  [/^tab (6|10|11)$/, "tmux does not know CHT; xterm does."],
  [/^backspace 3$/, "After the last column BS goes to the column before it, as in xterm; tmux stays on the last."],
  [/^backspace 4$/, "tmux goes back over a wrapped line's start; xterm does so only in reverse-wrap mode."],
  [/^(wrap 7|wide 18)$/, "Without autowrap the library leaves the caret after the last column, tmux on it."],
  [/^wrap 8$/, "A character that was cut off without autowrap lets the next one wrap, as in xterm; tmux does not."],
  [/^wrap 12$/, "DECSC and DECRC keep a pending wrap, as in xterm; tmux loses it."],
  [/^wrap 14$/, "A line feed after the last column stays in that column, as in xterm; tmux still wraps."],
  [/^wrap 1[67]$/, "Deleting or inserting after the last column takes the wrap back, as in xterm; tmux still wraps."],
  [/^insert chars 30$/, "More than fits clears the rest of the line, as in xterm; tmux inserts nothing."],
  [/^(insert|delete) lines /, "IL and DL take the caret to the first column, as the VT510 does; tmux leaves it."],
  [/^repeat 30$/, "REP wraps, as in xterm; tmux stops at the last column."],
  [/^region 1[12]$/, "Outside of the region IL and DL do nothing, as on the VT510; tmux carries them out."],
  [
    /^alternate 10$/,
    "Leaving the alternate screen without having entered restores the caret, in tmux one from long before.",
  ],
  [/^charset 7$/, "tmux knows no British character set; xterm does."],
  [
    /^wide (5|9|1[0124]|17|22)$/,
    "Half of a wide character that is overwritten or moved leaves a blank; tmux keeps the other half.",
  ],
  [/^wide 19$/, "tmux repeats only narrow characters; xterm all."],
  [/^combining 6$/, "A mark with nothing before it gets a cell; tmux drops it."],
  [/^combining 7$/, "The joiner is part of the cell before it; tmux drops it where nothing joins."],
  [/^odd 26$/, "tmux does not know LNM; xterm does."],
];

function reasonFor(name: string): string | undefined {
  return EXPLAINED.find(([names]) => names.test(name))?.[1];
}

function described(name: string, { lines, row, col, isAlternate }: ShownScreen): string {
  const head = `${name}: caret ${row},${col}${isAlternate ? ", alternate" : ""}`;
  return [head, ...lines.map((line) => `|${line}`)].join("\n").replace(/(\n\|)+$/, "");
}

function golden(name: string): string {
  return fileURLToPath(new URL(`../../golden/screen/${name}.txt`, import.meta.url));
}

interface Compared {
  readonly name: string;
  readonly theirs: ShownScreen;
  readonly ours: ShownScreen;
}

async function compare(
  inputs: readonly (readonly [string, Uint8Array])[],
  size: typeof CASE_SIZE,
): Promise<Compared[]> {
  const tmux = new TmuxScreen(size);
  try {
    const all: Compared[] = [];
    for (const [name, input] of inputs)
      all.push({ name, theirs: await tmux.show(input), ours: await ourScreen(input, size) });
    return all;
  } finally {
    tmux.close();
  }
}

function differing(all: readonly Compared[]): Compared[] {
  return all.filter(({ theirs, ours }) => JSON.stringify(theirs) !== JSON.stringify(ours));
}

describe.skipIf(!needs("tmux"))("beside tmux", () => {
  let cases: readonly Compared[] = [];
  let programs: readonly Compared[] = [];

  beforeAll(async () => {
    cases = await compare(
      SCREEN_CASES.map(({ name, input }) => [name, Buffer.from(input)] as const),
      CASE_SIZE,
    );
    const names = readdirSync(RECORDINGS).filter((name) => name.endsWith(".raw"));
    programs = await compare(
      names.map((name) => [name.replace(".raw", ""), readFileSync(RECORDINGS + name)] as const),
      PROGRAM_SIZE,
    );
  }, 300_000);

  afterAll(() => {
    cases = [];
    programs = [];
  });

  test("every sequence shows the same, or the difference is explained", () => {
    expect(cases.length).toBeGreaterThanOrEqual(200);
    expect(differing(cases).flatMap((item) => (reasonFor(item.name) === undefined ? [item] : []))).toEqual([]);
  });

  test("no difference is explained that is none", () => {
    const names = differing(cases).map(({ name }) => name);

    expect(EXPLAINED.filter(([pattern]) => !names.some((name) => pattern.test(name)))).toEqual([]);
  });

  test("what real programs print shows the same", () => {
    expect(programs.filter(({ ours }) => ours.isAlternate).length).toBeGreaterThanOrEqual(24);
    expect(differing(programs)).toEqual([]);
  });

  test("tmux shows what it showed when the golden file was written", async () => {
    const text = [...cases, ...programs].map(({ name, theirs }) => described(name, theirs)).join("\n\n");

    await expect(`${text}\n`).toMatchFileSnapshot(golden("tmux"));
  });

  test("where we differ, we show what we showed when the golden file was written", async () => {
    const text = differing(cases)
      .map(({ name, ours }) => `${described(name, ours)}\n# ${reasonFor(name)}`)
      .join("\n\n");

    await expect(`${text}\n`).toMatchFileSnapshot(golden("differences"));
  });
});
