import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenOptions, openSession, type Session } from "../../entries/session.ts";
import { LimpetError } from "../../index.ts";

const NUMBERED = "stty -opost; seq 1 200000; echo the needle; seq 200001 400000";
const NUMBERED_BYTES = 2_688_906;
let stateDirectory: string;

beforeAll(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), "reading-"));
});

afterAll(async () => {
  await rm(stateDirectory, { recursive: true });
});

async function finished(options: OpenOptions): Promise<Session> {
  const session = await openSession(options);
  await session.ended;
  return session;
}

test("text is clean, within its budget, and names what it left out", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", stateDirectory });

  const reading = await session.text({ maxTokens: 50, fold: false });

  expect(reading.text).toMatch(/^1\n2\n[\s\S]*\n…\d+ tokens truncated…\n[\s\S]*\n400000\n$/);
  expect(Buffer.byteLength(reading.text)).toBeLessThanOrEqual(200);
  expect({ ...reading, text: "", cut: null }).toEqual({
    text: "",
    originalTokenCount: Math.ceil(NUMBERED_BYTES / 4),
    cut: null,
    droppedBytes: 0,
    hiddenLines: 0,
    from: 0,
    next: NUMBERED_BYTES,
  });
  const missing = await session.text({ ...reading.cut, fold: false, maxTokens: 10_000_000 });
  expect(missing.text).toContain("\nthe needle\n");
});

test("without a disk, what memory dropped is counted and reported", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", journalBytes: 8192 });

  const reading = await session.text({ fold: false });

  expect(reading.droppedBytes).toBe(NUMBERED_BYTES - 8192);
  expect(reading.text).toContain(`\n[${reading.droppedBytes} bytes of output were dropped here]\n`);
});

test("a range is respected, even if its beginning or all of it was dropped", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", journalBytes: 8192 });
  const gapEnd = NUMBERED_BYTES - 4096;

  const inside = await session.text({ from: 100_000, to: 100_500 });
  expect(inside).toMatchObject({
    text: "[500 bytes of output were dropped here]\n",
    droppedBytes: 500,
    next: 100_500,
  });
  const across = await session.text({ from: gapEnd - 70, to: gapEnd + 7, raw: true });
  const kept = await session.readText({ from: gapEnd, maxBytes: 7 });
  expect(across).toMatchObject({
    text: `[70 bytes of output were dropped here]\n${kept.text}`,
    droppedBytes: 70,
    next: gapEnd + 7,
  });
});

test("the first and the last lines can be read alone", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", stateDirectory });

  expect((await session.head(3, { fold: false })).text).toBe("1\n2\n3\n");
  expect((await session.tail(2, { fold: false })).text).toBe("399999\n400000\n");
  expect((await session.tail(1_000_000, { fold: false, maxTokens: 1_000_000 })).text).toMatch(/^1\n[\s\S]*\n400000\n$/);
});

test.each([{ raw: false }, { raw: true }])("the last lines say where they begin, with %o", async ({ raw }) => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", stateDirectory });

  const last = await session.tail(3, { raw, fold: false });
  const cut = await session.tail(100, { raw, fold: false, maxTokens: 10 });

  expect(last).toMatchObject({ from: NUMBERED_BYTES - 3 * 7, next: NUMBERED_BYTES, cut: null, droppedBytes: 0 });
  expect(cut).toMatchObject({ cut: { from: NUMBERED_BYTES - 100 * 7, to: NUMBERED_BYTES } });
});

test("the last lines of a redrawn output begin no later than what they were drawn with", async () => {
  const command =
    "seq 1 20000; for i in $(seq 1 200); do printf 'a %d\\nb %d\\n\\033[2A' $i $i; done; printf '\\033[2B'";
  await using session = await finished({ command, shell: "/bin/bash" });

  const last = await session.tail(2, { fold: false });

  expect(last.text).toBe("a 200\nb 200\n");
  expect((await session.text({ from: last.from, fold: false })).text).toMatch(/a 200\nb 200\n$/);
  expect(last.from).toBeGreaterThan(session.endCursor - 16_384);
});

test("what was dropped before the last lines is not counted with them", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", journalBytes: 8192 });

  expect(await session.tail(2, { fold: false })).toMatchObject({ text: "399999\n400000\n", droppedBytes: 0 });
});

test("the first lines of one stream are counted in that stream", async () => {
  const command = "for i in 1 2 3; do echo err $i >&2; sleep 0.1; done; seq 1 5; sleep 0.1; echo err 4 >&2";
  await using session = await finished({ command, shell: "/bin/sh", tty: false });

  expect((await session.head(2, { origin: "stdout", fold: false })).text).toBe("1\n2\n");
  expect((await session.head(4, { origin: "stderr", fold: false })).text).toBe("err 1\nerr 2\nerr 3\nerr 4\n");
});

test("an invalid range is refused", async () => {
  await using session = await finished({ command: "echo hi", shell: "/bin/sh" });
  const refused = { code: "BAD_OPTION", name: "LimpetError" };

  // @ts-expect-error: as a caller without a compiler does
  await expect(session.text({ to: "x" })).rejects.toMatchObject(refused);
  await expect(session.text({ from: 1e300 })).rejects.toMatchObject(refused);
  await expect(session.head(1, { to: -1 })).rejects.toMatchObject(refused);
  await expect(session.tail(1, { to: 1.5 })).rejects.toMatchObject(refused);
  await expect(session.grep("x", { to: Number.NaN })).rejects.toMatchObject(refused);
  await expect(session.grep("x", { context: -1 })).rejects.toMatchObject(refused);
  // @ts-expect-error: as a caller without a compiler does
  await expect(session.wait({ until: 5 })).rejects.toMatchObject({ code: "BAD_PATTERN" });
});

test("a search finds a line on disk, with its number, cursor and context", async () => {
  await using session = await finished({ command: NUMBERED, shell: "/bin/sh", stateDirectory });

  const { lines, totalMatches } = await session.grep("needle", { context: 1 });

  expect(totalMatches).toBe(1);
  expect(lines.map(({ line, text, isMatch }) => ({ line, text, isMatch }))).toEqual([
    { line: 200_000, text: "200000", isMatch: false },
    { line: 200_001, text: "the needle", isMatch: true },
    { line: 200_002, text: "200001", isMatch: false },
  ]);
  const place = await session.text({ from: lines[1]?.cursor ?? 0, maxTokens: 10_000, fold: false });
  expect(place.text).toContain("the needle\n");
});

test("a slow pattern is bounded, and one that cannot be searched is refused", async () => {
  await using session = await finished({ command: "printf 'a%.0s' $(seq 5000)", shell: "/bin/bash" });

  expect((await session.grep("(a+)+$")).totalMatches).toBe(1);
  await expect(session.grep("(?<=x)y")).rejects.toMatchObject({ code: "BAD_PATTERN" });
  await expect(session.grep("(")).rejects.toBeInstanceOf(LimpetError);
});

test("stdout and stderr can be read separately, and together in the order of arrival", async () => {
  const command = "for i in 1 2; do echo out $i; read -r x; echo err $i >&2; read -r x; done";
  await using session = await openSession({ command, shell: "/bin/sh", tty: false });
  // Nobody can tell which of two pipes was written to first, so each line has arrived before the next one is printed.
  for (const line of ["out 1", "err 1", "out 2", "err 2"]) {
    await session.wait({ until: `${line}\n`, onInput: false });
    await session.write("\n");
  }
  await session.ended;

  expect((await session.text({ origin: "stdout" })).text).toBe("out 1\nout 2\n");
  expect((await session.text({ origin: "stderr" })).text).toBe("err 1\nerr 2\n");
  expect((await session.text()).text).toBe("out 1\nerr 1\nout 2\nerr 2\n");
  expect((await session.grep("2", { origin: "stderr" })).lines).toMatchObject([{ line: 2, text: "err 2" }]);
});

test("a cursor beyond the end reads nothing", async () => {
  await using session = await finished({ command: "echo hi", shell: "/bin/sh" });

  expect(await session.text({ from: 1000 })).toMatchObject({ text: "", cut: null, droppedBytes: 0 });
  expect(await session.tail(1, { from: 1000 })).toMatchObject({ text: "", cut: null, droppedBytes: 0 });
});

test("a reader gets each line once, continues a grown line and repeats a redrawn one", async () => {
  await using session = await openSession({ program: "cat", inheritEnv: false, env: { PATH: "/usr/bin:/bin" } });
  const reader = session.reader();
  const typed = async (text: string) => {
    await session.write(text);
    await session.wait({ until: text.trim().slice(-3), onInput: false, deadlineMs: 10_000 });
    return (await reader.next()).text;
  };

  const first = await typed("one");
  const second = await typed("two");

  expect([first, second]).toEqual(["one", "two"]);
  await session.write("\n");
  await session.wait({ until: "onetwo\nonetwo\n", from: 0, onInput: false, deadlineMs: 10_000 });
  expect((await reader.next()).text).toBe("\nonetwo\n");
  expect((await reader.next()).text).toBe("");
});
