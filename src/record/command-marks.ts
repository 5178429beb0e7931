import { commandLogOf } from "../session/command-log.ts";
import { Session } from "../session/session.ts";
import type { CommandMark } from "./input-events.ts";
import type { RecordSource } from "./record-source.ts";

/** A marker is shown on one line. */
const MAX_LABEL_CHARS = 200;

/** The commands that callers ran in a shell, as markers such as `❯ npm test`: the shell does not echo them. */
export function commandMarks(source: RecordSource): readonly CommandMark[] {
  if (!(source instanceof Session)) return [];
  return commandLogOf(source).entries.map(({ number, command, from, startedAt }) => ({
    number,
    cursor: from,
    label: `❯ ${command.replaceAll(/\s+/g, " ").slice(0, MAX_LABEL_CHARS)}`,
    atMs: Math.max(0, startedAt - source.startedAt),
  }));
}
