/**
 * The record of a session on disk, beside its journal: what it runs, and how to find its processes again. It is written
 * before the program starts, when it runs and when it has ended. Each write replaces the whole file, so a crash leaves
 * the previous record.
 */

import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { ReplaceJob } from "../../journal/disk/disk.ts";
import type { ProgramTrace } from "../../linux/processes/process-tree.ts";
import type { SessionOwner } from "../../session/registry/resolve-session.ts";
import type { SessionProgram } from "../../session/session-program.ts";
import { FORM, parseRecord } from "./parse-record.ts";

const FILE_NAME = "session.json";

export interface SessionRecord extends Omit<SessionProgram, "name" | "owner"> {
  readonly name: string | null;
  /** Missing in the records of earlier versions. */
  readonly owner?: SessionOwner | undefined;
  readonly size: TerminalSize;
  /** A variable's value in the environment of every process of the session. */
  readonly mark: string;
  /** The kernel's boot id. Pids and start times are valid only within one boot. */
  readonly boot: string;
  readonly startedAt: number;
  /** Null before the program runs. */
  readonly trace: ProgramTrace | null;
  /** Null while the program runs. */
  readonly exit: Exit | null;
  /** Its host died before the program ended. */
  readonly lost: boolean;
  /** The end of the output, once all of it is on disk; null before. */
  readonly end: Cursor | null;
  /** Where a prepared shell was after its last command. */
  readonly directory?: string | undefined;
}

/** A record and its directory. */
export interface FoundRecord {
  readonly directory: string;
  readonly record: SessionRecord;
}

export function makeRecord(directory: string, record: SessionRecord): void {
  makeDirectorySync(directory, 0o700);
  writeRecord(directory, record);
}

/** Does not create the directory, because it may have been deleted on purpose. */
export function writeRecord(directory: string, record: SessionRecord): void {
  const path = pathOfRecord(directory);
  writeFileSync(`${path}.new`, textOf(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Like `writeRecord`, as a job for a disk. `isNew`: the directory is made first. */
export function recordJob(
  directory: string,
  record: SessionRecord,
  { isNew }: { readonly isNew: boolean },
): ReplaceJob {
  const newDirectory = isNew ? directory : undefined;
  return { kind: "replace", path: pathOfRecord(directory), text: textOf(record), newDirectory };
}

export function pathOfRecord(directory: string): string {
  return join(directory, FILE_NAME);
}

function textOf(record: SessionRecord): string {
  return JSON.stringify({ form: FORM, ...record });
}

/** What the directory of sessions contains. */
export interface FoundRecords {
  /** In the order of their ids. Without those of other versions of limpet. */
  readonly records: readonly FoundRecord[];
  readonly damaged: readonly DamagedRecord[];
}

export interface DamagedRecord {
  readonly directory: string;
  readonly problem: string;
}

export function readRecords(sessionsDirectory: string): FoundRecords {
  const records: FoundRecord[] = [];
  const damaged: DamagedRecord[] = [];
  for (const name of listDirectory(sessionsDirectory)) {
    const directory = join(sessionsDirectory, name);
    const content = readContent(directory);
    if (content === undefined) continue;
    const parsed = parseRecord(content, name);
    if (parsed.kind === "record") records.push({ directory, record: parsed.record });
    if (parsed.kind === "damaged") damaged.push({ directory, problem: parsed.problem });
  }
  return { records: records.sort((one, other) => one.record.id - other.record.id), damaged };
}

/** Undefined if there is no record: its host ended before it was written. */
function readContent(directory: string): string | undefined {
  try {
    return readFileSync(pathOfRecord(directory), "utf8");
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
