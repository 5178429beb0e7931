/** A part of the zoo that every test run drives: one program of each way to wait. `npm run test:zoo` drives all. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerQueries } from "../../src/screen/answer-queries.ts";
import { screenOf } from "../../src/screen/screen.ts";
import { openSession } from "../../src/session/open/open-session.ts";
import programs from "../support/needs.json" with { type: "json" };
import { type Need, needs } from "../support/needs.ts";
// @ts-expect-error A script without types.
import { drive } from "./drive.mjs";
// @ts-expect-error A script without types.
import { Places } from "./places/places.mjs";
// @ts-expect-error A script without types.
import { table } from "./table.mjs";

interface Entry {
  readonly name: string;
  readonly with?: string;
  readonly needs?: Readonly<Record<string, string>>;
}

/** Reached only where something is wrong. */
const TIMEOUT_MS = 180_000;
interface Step {
  readonly grade: string;
  readonly expected: string;
  readonly reported: string;
}

/** How late a wait ends depends on the machine, unless it never ends. */
function isWrong({ grade, expected, reported }: Step): boolean {
  return grade !== "right" && !(grade === "late" && reported === expected);
}

const limpet = { openSession, screenOf, answerQueries };
const NAMES = [
  "python3",
  "node",
  "bash",
  "sqlite3",
  "read -p",
  "input() and getpass",
  "setsid -w",
  "sudo with its own terminal",
  "script",
  "tmux",
  "ssh",
  "less",
  "asyncio reader",
  "node data listener",
  "a program stopped in its read",
];

let folder = "";
let places: { open(name: string): Promise<Record<string, string>>; close(): Promise<void> };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "limpet-zoo-"));
  places = new Places(folder);
});

afterAll(async () => {
  await places.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test.concurrent.for(NAMES)(
  "%s: every wait ends in the right state, with the whole answer",
  { timeout: TIMEOUT_MS },
  async (name, { skip }) => {
    const entry: Entry = table.find((each: Entry) => each.name === name);
    const listed = Object.keys(entry.needs ?? {}).filter((program): program is Need => program in programs);
    skip(!needs(...listed), `missing: ${listed.join(" or ")}`);
    const place = entry.with === undefined ? {} : await places.open(entry.with);

    const steps: readonly Step[] = await drive({ ...entry, isSlow: true }, { limpet, folder, place });

    expect(steps.filter(isWrong)).toEqual([]);
  },
);
