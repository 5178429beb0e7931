import { expect, test } from "vitest";
import { type OpenOptions, openSession, type Session } from "../../entries/session.ts";

const ROWS = 20_000;
/** Rows of 10 bytes, so that the place of each is known. */
const NUMBERED = `stty -opost; seq -f 'row %05.0f' 1 ${ROWS}`;
const ROW_BYTES = 10;

async function finished(options: OpenOptions): Promise<Session> {
  const session = await openSession(options);
  await session.ended;
  return session;
}

test.each([{ raw: false }, { raw: true }])("no line is made of both sides of a gap, with %o", async ({ raw }) => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", journalBytes: 8192 });

  const { lines, droppedBytes, totalLines } = await session.grep("", { raw, maxMatches: ROWS });

  expect(droppedBytes).toBe(ROWS * ROW_BYTES - 8192);
  // 4096 bytes on each side: 409 whole rows and a part of one.
  expect(totalLines).toBe(820);
  expect(lines.map(({ text }) => text).slice(408, 411)).toEqual([
    "row 00409",
    "row 00",
    expect.stringMatching(/^\d{5}$/),
  ]);
  expect(lines.at(-1)).toMatchObject({ line: 820, text: `row ${ROWS}` });
});

test("a search of a dropped range finds nothing and reports the loss", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", journalBytes: 8192 });

  expect(await session.grep("row", { from: 50_000, to: 60_000 })).toEqual({
    lines: [],
    matches: 0,
    totalMatches: 0,
    totalLines: 0,
    droppedBytes: 10_000,
  });
});

test("a raw search returns the exact cursor of a line, from any cursor and after a gap", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", journalBytes: 8192 });
  const placeOf = async (pattern: string, from: number) =>
    (await session.grep(pattern, { raw: true, from })).lines[0]?.cursor;

  expect(await placeOf("row 00100", 300)).toBe(99 * ROW_BYTES);
  expect(await placeOf(`row ${ROWS}`, 300)).toBe((ROWS - 1) * ROW_BYTES);
  expect(await placeOf(`row ${ROWS}`, 100_000)).toBe((ROWS - 1) * ROW_BYTES);
});

test("a raw search of one stream returns cursors in the journal", async () => {
  const command = "echo first >&2; read -r x; printf 'o'; read -r x; echo second >&2; read -r x; echo ut; echo last";
  await using session = await openSession({ command, shell: "/bin/sh", tty: false });
  // Nobody can tell which of two pipes was written to first, so each part has arrived before the next one is printed.
  for (const part of ["first\n", "o", "second\n"]) {
    await session.wait({ until: part, onInput: false });
    await session.write("\n");
  }
  await session.ended;

  const { lines } = await session.grep("out|last", { raw: true, origin: "stdout" });

  expect(lines.map(({ cursor, text }) => [cursor, text])).toEqual([
    ["first\n".length, "out"],
    ["first\nosecond\nut\n".length, "last"],
  ]);
});
