/** The file of a recording: what it counts instead of keeping, what cuts it short, and what is read of any file. */
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readRecording, recordingText, recordSession } from "../../../src/entries/record.ts";
import { openSession } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { startScript } from "../../support/processes.ts";
import { newFilesIn, readBack } from "../../support/screen/recordings.ts";
import { codeOf, isLong, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

const directory = temporaryDirectory(afterAll);
const newFile = newFilesIn(directory);
const bash = (command: string) => openSession({ command, shell: "/bin/bash" });

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
