import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OpeningLog, recoverOpenings } from "./opening-log.ts";
import { makeRecord, readRecords, type SessionRecord } from "./session-record.ts";

let directory: string;
let path: string;
let log: OpeningLog;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "limpet-opening-"));
  path = join(directory, "opening");
  log = new OpeningLog(path);
});

afterEach(() => {
  log.close();
  rmSync(directory, { recursive: true });
});

test("a session that was noted and has no record gets one, as it was noted last", () => {
  log.note(at(1), recordOf(1));
  log.note(at(1), { ...recordOf(1), startedAt: 5 });

  const unwritten = recoverOpenings(path);

  expect(unwritten).toEqual([]);
  expect(readRecords(join(directory, "sessions")).records).toEqual([
    { directory: at(1), record: { ...recordOf(1), startedAt: 5 } },
  ]);
});

test("a record that is on disk is not replaced", () => {
  log.note(at(1), recordOf(1));
  makeRecord(at(1), { ...recordOf(1), end: 7 });

  recoverOpenings(path);

  expect(readRecords(join(directory, "sessions")).records).toEqual([
    { directory: at(1), record: { ...recordOf(1), end: 7 } },
  ]);
});

test("a session that is settled is not recovered, though another one is still noted", () => {
  log.note(at(1), recordOf(1));
  log.note(at(2), recordOf(2));
  log.settle(at(1));

  recoverOpenings(path);

  expect(readRecords(join(directory, "sessions")).records.map(({ record }) => record.id)).toEqual([2]);
});

test("the log is empty when all sessions are settled", () => {
  log.note(at(1), recordOf(1));
  log.note(at(2), recordOf(2));
  log.settle(at(2));
  log.settle(at(1));

  expect(readFileSync(path, "utf8")).toBe("");
});

test("a log that is never empty does not grow without end, and keeps those that are not settled", () => {
  log.note(at(1), recordOf(1));
  let most = 0;
  for (let id = 2; id < 5_000; id += 1) {
    log.note(at(id), recordOf(id));
    log.settle(at(id));
    most = Math.max(most, statSync(path).size);
  }
  log.note(at(5_000), recordOf(5_000));

  recoverOpenings(path);

  expect(readRecords(join(directory, "sessions")).records.map(({ record }) => record.id)).toEqual([1, 5_000]);
  expect(most).toBeLessThan(300 * 1024);
  expect(readdirSync(directory).sort()).toEqual(["opening", "sessions"]);
});

test("a line that a crash cut short does not hide those before it", () => {
  log.note(at(1), recordOf(1));
  writeFileSync(path, '{"directory":"/x","rec', { flag: "a" });

  recoverOpenings(path);

  expect(readRecords(join(directory, "sessions")).records.map(({ record }) => record.id)).toEqual([1]);
});

test("a line that the disk has changed is ignored", () => {
  const line = JSON.stringify({ directory: at(1), record: recordOf(1) });
  const elsewhere = JSON.stringify({ directory: join(directory, "x"), record: recordOf(1) });
  writeFileSync(path, [line.replace('"rows":24', '"rows":99999'), elsewhere, "null", "7", "[]", ""].join("\n"));

  expect(recoverOpenings(path)).toEqual([]);
  expect(existsSync(join(directory, "sessions"))).toBe(false);
});

test("a session whose record cannot be written is returned", () => {
  writeFileSync(join(directory, "sessions"), "a file in place of the directory");
  log.note(at(1), recordOf(1));

  const unwritten = recoverOpenings(path);

  expect(unwritten).toEqual([{ directory: at(1), record: recordOf(1) }]);
});

function at(id: number): string {
  return join(directory, "sessions", `${id}-${markOf(id).slice(0, 8)}`);
}

function markOf(id: number): string {
  return String(id).padStart(32, "0");
}

function recordOf(id: number): SessionRecord {
  return {
    id,
    name: null,
    program: "cat",
    args: [],
    cwd: "/",
    tty: true,
    size: { cols: 80, rows: 24 },
    mark: markOf(id),
    boot: "boot",
    startedAt: 1,
    trace: null,
    exit: null,
    lost: false,
    end: null,
  };
}
