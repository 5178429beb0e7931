/**
 * What is on disk about a session beside its journal: what it is, and by what it is found again. Written before anything
 * runs, when it runs and when it has ended, each time as a whole: a crash leaves the one before.
 */

import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { ProgramTrace } from "../../linux/process-tree.ts";
import type { SessionProgram } from "../../session/session-program.ts";

const FILE_NAME = "session.json";
const FORM = 1;

export interface SessionRecord extends Omit<SessionProgram, "name"> {
  readonly name: string | null;
  readonly size: TerminalSize;
  /** In the environment of all that it started. */
  readonly mark: string;
  /** Of the kernel since its start: pids and start times mean nothing in another one. */
  readonly boot: string;
  readonly startedAt: number;
  /** Null before it runs. */
  readonly trace: ProgramTrace | null;
  /** Null while it runs. */
  readonly exit: Exit | null;
  /** Its host was gone before it was. */
  readonly lost: boolean;
  /** All its output is on disk, and nothing follows; null before that. */
  readonly end: Cursor | null;
}

/** A record, and the directory that it lies in. */
export interface FoundRecord {
  readonly directory: string;
  readonly record: SessionRecord;
}

export function makeRecord(directory: string, record: SessionRecord): void {
  makeDirectorySync(directory, 0o700);
  writeRecord(directory, record);
}

/** Does not make the directory: one that was deleted meanwhile stays so. */
export function writeRecord(directory: string, record: SessionRecord): void {
  const path = join(directory, FILE_NAME);
  writeFileSync(`${path}.new`, JSON.stringify({ form: FORM, ...record }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** In the order of their ids. What is not understood is left alone: it may be somebody else's. */
export function readRecords(sessionsDirectory: string): FoundRecord[] {
  const found: FoundRecord[] = [];
  for (const name of listDirectory(sessionsDirectory)) {
    const directory = join(sessionsDirectory, name);
    const record = readRecord(directory);
    if (record) found.push({ directory, record });
  }
  return found.sort((one, other) => one.record.id - other.record.id);
}

function readRecord(directory: string): SessionRecord | undefined {
  try {
    const { form, ...record } = JSON.parse(readFileSync(join(directory, FILE_NAME), "utf8")) as SessionRecord & {
      readonly form: number;
    };
    return form === FORM && Number.isSafeInteger(record.id) ? record : undefined;
  } catch {
    return undefined;
  }
}

function listDirectory(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
