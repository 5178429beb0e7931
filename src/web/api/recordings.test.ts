import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chosenRecording, newRecordingFile, openRecording, recordingsOf } from "./recordings.ts";

const NONE = { place: null, recordings: [] } as const;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "limpet-recordings-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("the recordings of a session are those that its host knows, and the files with its id", async () => {
  const recordings = folder();
  for (const name of ["7-20260101T000000.cast", "7-20260101T000000-1.cast", "70-20260101T000000.cast", "7-x.cast", "7"])
    writeFileSync(join(recordings, name), "{}");
  symlinkSync("/etc/passwd", join(recordings, "7-20260102T000000.cast"));
  const running = { file: "/elsewhere/run.cast", fileBytes: 5, events: 1, droppedBytes: 0, kind: "recording" } as const;

  const entries = await recordingsOf({ recordings }, { ...NONE, id: 7, recordings: [running] });

  expect(entries.map(({ file, bytes, isRunning }) => [file.replace(recordings, ""), bytes, isRunning])).toEqual([
    ["/7-20260101T000000-1.cast", 2, false],
    ["/7-20260101T000000.cast", 2, false],
    ["/elsewhere/run.cast", 5, true],
  ]);
});

test("a new one has a name that no other has", async () => {
  const recordings = join(folder(), "new");
  const first = await newRecordingFile({ recordings }, { id: 3 });
  writeFileSync(first, "{}");

  const second = await newRecordingFile({ recordings }, { id: 3 });

  expect(second).not.toBe(first);
  expect(await recordingsOf({ recordings }, { ...NONE, id: 3 })).toMatchObject([{ file: first }]);
});

test.each(["../../etc/passwd", "%2e%2e%2fetc", "..\\..\\x", "a\0b", "/etc/passwd", "", null])(
  "no path names a recording: %j",
  async (id) => {
    const recordings = folder();
    writeFileSync(join(recordings, "7-20260101T000000.cast"), "{}");
    const entries = await recordingsOf({ recordings }, { ...NONE, id: 7 });

    expect(() => chosenRecording(entries, id)).toThrow("no such recording");
  },
);

test("a recording that became a link, a directory or a pipe is not opened", async () => {
  const path = folder();
  const link = join(path, "link.cast");
  symlinkSync("/etc/passwd", link);
  const entry = { id: "x", bytes: 0, isRunning: true, problem: null };

  await expect(openRecording({ ...entry, file: link })).rejects.toThrow("cannot be read");
  await expect(openRecording({ ...entry, file: path })).rejects.toThrow("cannot be read");
  await expect(openRecording({ ...entry, file: join(path, "missing") })).rejects.toThrow("cannot be read");
});
