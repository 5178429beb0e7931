/** What a recording has of a session: output, times, sizes and input. */
import { readFileSync, statSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { deferred } from "../../../src/base/async/deferred.ts";
import { DEFAULT_SIZE } from "../../../src/base/limits.ts";
import { recordSession } from "../../../src/entries/record.ts";
import { openSession } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { newFilesIn, readBack } from "../../support/screen/recordings.ts";
import { outputHas, takeAll, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

const newFile = newFilesIn(temporaryDirectory(afterAll));
const bash = (command: string) => openSession({ command, shell: "/bin/bash" });

test.each([2, 3] as const)("a recording of version %i has all output, the size and the exit", async (format) => {
  await using session = await bash("printf 'grün \\e[1mfett\\e[0m\\r\\n'; seq 20000; exit 3");
  const file = newFile();
  const recording = await recordSession(session, { file, format });

  const state = await recording.done;
  const { header, events, output } = await readBack(file);

  expect(state).toMatchObject({ kind: "done", why: "ended", droppedBytes: 0, events: events.length });
  expect(state.fileBytes).toBe(statSync(file).size);
  expect(output).toBe((await takeAll(session)).bytes.toString());
  expect(header).toMatchObject({
    format,
    size: DEFAULT_SIZE,
    command: expect.stringContaining("/bin/bash -c"),
  });
  expect(events.at(-1)).toMatchObject(
    format === 3 ? { kind: "exit", code: 3 } : { kind: "marker", label: "exited with code 3" },
  );
});

test("a session that has ended long ago can still be recorded, with the times of then", async () => {
  await using session = await bash("stty -echo; echo one; read; echo two");
  const { timeline } = session;
  await outputHas(session, "one");
  const seenMs = timeline.nowMs;
  // Output within 10 ms counts as one piece.
  await until(() => timeline.nowMs > seenMs + 20, "some time has gone by");
  const typedMs = timeline.nowMs;
  await session.write("\n");
  await session.ended;
  const file = newFile();

  await (await recordSession(session, { file })).done;
  const { events, output } = await readBack(file);
  const at = (text: string) => events.find((event) => event.kind === "output" && event.text.includes(text))?.atMs ?? 0;

  expect(output).toBe("one\r\ntwo\r\n");
  expect(at("one")).toBeLessThanOrEqual(Math.round(seenMs));
  expect(at("two")).toBeGreaterThanOrEqual(Math.round(typedMs));
});

test("the exit of a session has the time of then, however much later it is recorded", async () => {
  await using session = await bash("echo one; exit 3");
  const live = newFile();
  await (await recordSession(session, { file: live })).done;
  const later = session.startedAt + 500;
  await until(() => Date.now() > later, "some time has gone by");

  const late = newFile();
  await (await recordSession(session, { file: late })).done;

  const exitIn = async (file: string) => (await readBack(file)).events.find(({ kind }) => kind === "exit");
  expect(await exitIn(late)).toEqual(await exitIn(live));
});

test("output has the time of its arrival, however much later the recording reads it", async () => {
  await using session = await bash("read; echo one; read; echo two");
  const { timeline } = session;
  const released = deferred<void>();
  const file = newFile();
  const recording = await recordSession(
    {
      size: DEFAULT_SIZE,
      endCursor: session.endCursor,
      timeline,
      async *output(options) {
        await released.promise;
        yield* session.output(options);
      },
    },
    { file },
  );

  await session.write("\n");
  await outputHas(session, "one");
  const seenMs = timeline.nowMs;
  // Output within 10 ms counts as one piece.
  await until(() => timeline.nowMs > seenMs + 20, "some time has gone by");
  const typedMs = timeline.nowMs;
  await session.write("\n");
  await session.ended;
  released.resolve();
  await recording.done;

  const { events } = await readBack(file);
  const at = (text: string) => events.find((event) => event.kind === "output" && event.text.includes(text))?.atMs;
  expect(at("one")).toBeLessThanOrEqual(Math.round(seenMs));
  expect(at("two")).toBeGreaterThanOrEqual(Math.round(typedMs));
});

test("a recording from now on has nothing of before, and ends where it is stopped", async () => {
  await using session = await bash("echo before; cat");
  await outputHas(session, "before\r\n");
  const file = newFile();
  await using recording = await recordSession(session, { file, from: "now" });
  await session.write("during\n");
  await outputHas(session, "during\r\nduring\r\n");

  const state = await recording.stop();
  await session.write("after\n");
  await outputHas(session, "after\r\nafter");

  expect(state).toMatchObject({ kind: "done", why: "stopped" });
  expect((await readBack(file)).output).toBe("during\r\nduring\r\n");
  expect(await recording.stop()).toEqual(state);
});

test("a character whose bytes come apart is in one event, and what is no character is U+FFFD", async () => {
  skipTestWithout("python3");
  const script = [
    "import os,time",
    "for part in (b'\\xe2', b'\\x82', b'\\xac|', b'\\xff|', b'\\xf0\\x9f'):",
    " os.write(1, part); time.sleep(0.05)",
  ].join("\n");
  await using session = await openSession({ program: "python3", args: ["-c", script] });
  const file = newFile();
  await (await recordSession(session, { file })).done;
  const { events, output } = await readBack(file);

  expect(output).toBe("€|\ufffd|\ufffd");
  expect(events.filter((event) => event.kind === "output" && event.text.includes("€"))).toHaveLength(1);
});

test("a change of size lies between the output before it and the output after it", async () => {
  await using session = await bash("trap 'stty size' WINCH; echo ready; while :; do read -t 0.05; done");
  const file = newFile();
  await using recording = await recordSession(session, { file });
  await outputHas(session, "ready");
  session.resize({ cols: 100, rows: 30 });
  await outputHas(session, "30 100");

  await recording.stop();
  const { header, events } = await readBack(file);
  const resize = events.findIndex((event) => event.kind === "resize");
  const textBefore = events.slice(0, resize).map((event) => (event.kind === "output" ? event.text : ""));

  expect(header.size).toEqual(DEFAULT_SIZE);
  expect(events[resize]).toMatchObject({ size: { cols: 100, rows: 30 } });
  expect(textBefore.join("")).toContain("ready");
  expect(textBefore.join("")).not.toContain("30 100");
});

test("a late recording of a resized session begins with its first size", async () => {
  await using session = await bash("echo ready; cat");
  await outputHas(session, "ready");
  session.resize({ cols: 90, rows: 20 });
  const [all, rest] = [newFile(), newFile()];

  await (await recordSession(session, { file: all })).stop();
  await (await recordSession(session, { file: rest, from: "now" })).stop();

  expect((await readBack(all)).header.size).toEqual(DEFAULT_SIZE);
  expect((await readBack(all)).events.at(-1)).toMatchObject({ kind: "resize", size: { cols: 90, rows: 20 } });
  expect((await readBack(rest)).header.size).toEqual({ cols: 90, rows: 20 });
});

test("what is typed is recorded before its echo where that is asked for, and not otherwise", async () => {
  await using session = await openSession({ program: "cat" });
  const [withInput, without] = [newFile(), newFile()];
  await using one = await recordSession(session, { file: withInput, input: true });
  await using other = await recordSession(session, { file: without });
  await session.write("typed\n");
  await outputHas(session, "typed\r\ntyped\r\n");

  await one.stop();
  await other.stop();
  const { events, input } = await readBack(withInput);

  expect(input).toBe("typed\n");
  expect(events[0]).toMatchObject({ kind: "input" });
  expect((await readBack(without)).input).toBe("");
});

test.each([
  { how: "bash", command: "read -s -p Password: secret; echo; read line; echo done $line" },
  { how: "python", command: "python3 -c 'import getpass; getpass.getpass(); print(\"done\", input())'" },
  {
    how: "key by key",
    command: "stty -icanon -echo; echo Password:; head -c 9 >/dev/null; stty sane; read line; echo done $line",
  },
])("a password asked for by $how is in no recording, although input is recorded", async ({ command }) => {
  skipTestWithout(command.split(" ", 1)[0] ?? "");
  await using session = await bash(command);
  const file = newFile();
  await using recording = await recordSession(session, { file, input: true });
  await outputHas(session, "Password:");
  await until(() => session.terminalMode?.isEchoing === false, "no echo");
  await session.write("hunter22\n");
  await until(() => session.terminalMode?.isEchoing === true, "echo");
  await session.write("shown\n");
  await outputHas(session, "done shown");

  await recording.done;

  expect(readFileSync(file, "utf8")).not.toContain("hunter");
  expect((await readBack(file)).input).toBe("shown\n");
});
