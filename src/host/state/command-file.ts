/**
 * The commands that were run in a shell, on disk beside its journal: a line of JSON when one starts, another when it
 * has finished. Any byte may be wrong when it is read: what is not a command is skipped.
 */
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { MAX_LOGGED_COMMAND_CHARS, MAX_LOGGED_COMMANDS } from "../../base/limits.ts";
import { commandLogOf, type LoggedCommand } from "../../session/command-log.ts";
import type { Session } from "../../session/session.ts";

const FILE_NAME = "commands.jsonl";
/** Two for each command that is kept, and as many again before the file is rewritten. */
const MAX_LINES = 4 * MAX_LOGGED_COMMANDS;

type Redact = <T>(data: T) => T;

const whole = z.int().min(0);
const schema: z.ZodType<LoggedCommand> = z.strictObject({
  number: whole.min(1),
  command: z.string().max(MAX_LOGGED_COMMAND_CHARS),
  caller: z.string(),
  cwd: z.string().refine(isAbsolute),
  startedAt: whole,
  from: whole,
  to: whole.nullable(),
  durationMs: whole.nullable(),
  exitCode: whole.max(255).nullable(),
});

/** Writes the commands of a session from now on. A disk that cannot be written does not stop a command. */
export function keepCommands(session: Session, directory: string, redact: Redact = (data) => data): void {
  const log = commandLogOf(session);
  const path = join(directory, FILE_NAME);
  let lines = 0;
  let last = Promise.resolve();
  const inTurn = (write: () => Promise<void>) => {
    last = last.then(write).catch(() => undefined);
  };
  const writeAll = () => {
    lines = log.entries.length;
    inTurn(() => replaceFile(path, redact(log.entries)));
  };
  if (log.entries.length > 0) writeAll();
  log.onChanged((entry) => {
    lines += 1;
    if (lines > MAX_LINES) writeAll();
    else inTurn(() => appendFile(path, lineOf(redact(entry)), { mode: 0o600 }));
  });
}

/** Gives a restored session the commands that another host has logged. */
export async function restoreCommands(session: Session, directory: string): Promise<void> {
  const content = await readFile(join(directory, FILE_NAME), "utf8").catch(() => "");
  if (content !== "") commandLogOf(session).restore(parseCommands(content));
}

/** Pure. Oldest first, each in its last state. */
export function parseCommands(content: string): readonly LoggedCommand[] {
  const byNumber = new Map<number, LoggedCommand>();
  for (const line of content.split("\n")) {
    const parsed = schema.safeParse(parseJson(line));
    if (parsed.success) byNumber.set(parsed.data.number, parsed.data);
  }
  // Cursors and numbers only grow; a line that breaks this is damaged.
  const ordered = [...byNumber.values()].sort((one, other) => one.number - other.number);
  return ordered.filter(
    ({ from, to }, index) => from >= (ordered[index - 1]?.from ?? 0) && (to === null || to >= from),
  );
}

async function replaceFile(path: string, entries: readonly LoggedCommand[]): Promise<void> {
  await writeFile(`${path}.new`, entries.map(lineOf).join(""), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function lineOf(entry: LoggedCommand): string {
  return `${JSON.stringify(entry)}\n`;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
