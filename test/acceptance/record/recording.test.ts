import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deferred } from "../../../src/base/async/deferred.ts";
import { DEFAULT_SIZE } from "../../../src/base/limits.ts";
import { readRecording, recordingText, recordSession } from "../../../src/entries/record.ts";
import { openSession } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { startScript } from "../../support/processes.ts";
import { readBack } from "../../support/screen/recordings.ts";
import { codeOf, isLong, outputHas, takeAll, until } from "../../support/sessions.ts";

guardEveryCase();

let directory: string;
let made = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "limpet-record-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function newFile(): string {
  made += 1;
  return join(directory, `${made}.cast`);
}

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

test("output that the session did not keep is a marker with its count", async () => {
  await using session = await openSession({ program: "seq", args: ["10000"], journalBytes: 4096 });
  await session.ended;
  const file = newFile();

  const state = await (await recordSession(session, { file })).done;
  const { events, output } = await readBack(file);

  expect(state.droppedBytes).toBe(session.endCursor - 4096);
  expect(output).toHaveLength(4096);
  expect(events.filter(({ kind }) => kind === "marker")).toMatchObject([
    { label: `${state.droppedBytes} bytes of output are not in this recording` },
  ]);
});

test("a flood is recorded in bounded memory, each byte in the file or counted", async () => {
  skipTestWithout("python3");
  const megabytes = isLong ? 200 : 20;
  await using session = await openSession({
    program: "python3",
    args: ["-c", `for i in range(${megabytes}): print("x" * 1048575)`],
    tty: false,
  });
  const file = newFile();
  const before = process.memoryUsage().rss;
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
  }, 10);

  const state = await (await recordSession(session, { file })).done;
  clearInterval(watching);
  let bytes = 0;
  for await (const event of (await readRecording(file)).events())
    bytes += event.kind === "output" ? event.text.length : 0;

  expect(bytes + state.droppedBytes).toBe(megabytes * 1024 * 1024);
  expect(most).toBeLessThan(120 * 1024 * 1024);
});

test("a file that is there is not written over, and a new one is only ours to read", async () => {
  await using session = await openSession({ program: "cat" });
  const [taken, file] = [newFile(), newFile()];
  writeFileSync(taken, "mine");
  await using _recording = await recordSession(session, { file });

  expect(await codeOf(recordSession(session, { file: taken }))).toBe("CANNOT_RECORD");
  expect(await codeOf(recordSession(session, { file: join(directory, "no", "such", "x") }))).toBe("CANNOT_RECORD");
  expect(readFileSync(taken, "utf8")).toBe("mine");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a disk that takes no more ends the recording on a whole line, and not the session", async () => {
  const file = newFile();
  const command = "stty -opost; seq 200000; read line; echo went on; exit 4";
  const script = startScript("records-a-session.mjs", [file, command, "wait"], 'ulimit -f 200; exec "$@"');

  await script.next();
  const outcome = await script.next();

  expect(outcome).toMatchObject({
    problems: [],
    state: { kind: "failed", reason: "EFBIG" },
    exit: { kind: "code", code: 4 },
    said: true,
  });
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
  expect(readFileSync(file, "utf8").endsWith("]\n")).toBe(true);
});

test("a recording whose recorder was killed plays up to its last whole event", async () => {
  // All of it fits into the memory of the session: how far the recorder has got behind is no matter then.
  const numbers = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
  for (let run = 0; run < (isLong ? 100 : 5); run += 1) {
    const file = newFile();
    const script = startScript("records-a-session.mjs", [file, "stty -opost; seq 100000; read", "hold"]);
    await script.next();
    const goal = 10_000 + Math.floor(Math.random() * 500_000);
    await until(() => statSync(file).size >= goal, "some of the file");
    script.child.kill("SIGKILL");
    await script.ended;

    const { output } = await readBack(file);

    expect(output.length).toBeGreaterThan(1000);
    const same = [...output].findIndex((char, at) => char !== numbers[at]);
    expect(same < 0 ? "the same" : output.slice(Math.max(0, same - 40), same + 40)).toBe("the same");
  }
});

test("a file torn at any place plays up to its last whole event", async () => {
  const file = newFile();
  await using session = await bash("for i in 1 2 3; do echo grün $i; read -t 0.05; done");
  await (await recordSession(session, { file })).done;
  const whole = await readBack(file);
  const headerBytes = readFileSync(file).indexOf("\n") + 1;

  for (let bytes = statSync(file).size - 1; bytes >= headerBytes; bytes -= 1) {
    truncateSync(file, bytes);
    const { events } = await readBack(file);
    expect(events).toEqual(whole.events.slice(0, events.length));
  }
});

test("the text of a recording is what a person has read, without control sequences", async () => {
  await using session = await bash("printf '\\e[31mred\\e[0m\\n10%%\\r100%%\\n'; printf end");
  const file = newFile();
  await (await recordSession(session, { file })).done;
  let text = "";

  for await (const part of recordingText(await readRecording(file))) text += part;

  expect(text).toBe("red\n100%\nend");
});

const OLD = {
  version: 1,
  width: 40,
  height: 5,
  stdout: [
    [0.5, "one\r\n"],
    [0.25, "two\r\n"],
  ],
};

test.each([
  ["on one line", JSON.stringify(OLD)],
  ["on many lines", `${JSON.stringify(OLD, null, 2)}\n`],
  [
    "on a line longer than any event",
    JSON.stringify({ ...OLD, title: "t".repeat(5_000_000), stdout: [...OLD.stdout, [1, "x".repeat(5_000_000)]] }),
  ],
])("a recording of version 1 is read %s", async (_how, content) => {
  const file = newFile();
  writeFileSync(file, content);

  const { header, events, output } = await readBack(file);

  expect(header).toMatchObject({ format: 1, size: { cols: 40, rows: 5 } });
  expect(events.map(({ atMs }) => atMs).slice(0, 2)).toEqual([500, 750]);
  expect(output).toMatch(/^one\r\ntwo\r\n/);
});

test.each(["", "no json", '{"version":1}', '{"version":3}'])("a file with %j is no recording", async (content) => {
  const file = newFile();
  writeFileSync(file, content);

  expect(await codeOf(readRecording(file))).toBe("BAD_RECORDING");
  expect(await codeOf(readRecording(join(directory, "nowhere")))).toBe("BAD_RECORDING");
});
