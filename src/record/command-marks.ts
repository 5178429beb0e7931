import type { Cursor } from "../base/cursor.ts";
import { commandLogOf } from "../session/command-log.ts";
import { Session } from "../session/session.ts";
import type { CommandPart } from "./command-lines.ts";
import type { RecordSource } from "./record-source.ts";

/** A command that started or finished at a cursor. */
export interface CommandMark {
  readonly cursor: Cursor;
  /** Grows from mark to mark. */
  readonly order: number;
  readonly part: CommandPart;
  /** Milliseconds since the session started. */
  readonly atMs: number;
}

/** The commands that callers ran in a shell: the shell does not echo them. */
export function commandMarks(source: RecordSource): readonly CommandMark[] {
  if (!(source instanceof Session)) return [];
  return commandLogOf(source).entries.flatMap((command) => {
    const { number, from, to, startedAt, durationMs } = command;
    const atMs = Math.max(0, startedAt - source.startedAt);
    const started: CommandMark = { cursor: from, order: 2 * number, part: { kind: "started", command }, atMs };
    if (to === null) return [started];
    const finished = { kind: "finished", command } as const;
    return [started, { cursor: to, order: 2 * number + 1, part: finished, atMs: atMs + (durationMs ?? 0) }];
  });
}
