/** The parts of a transcript, which shows a session as people see it. */
import type { Page } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import type { LoggedCommand } from "./command-log.ts";

/** One event of a session. */
export type TranscriptPart =
  | { readonly kind: "output"; readonly page: Page }
  | { readonly kind: "started" | "finished"; readonly command: LoggedCommand }
  /** The size from here on; null if the session has no terminal. The first part is the size at the beginning. */
  | { readonly kind: "size"; readonly size: TerminalSize | null };

/** Which part of a session to stream. */
export interface TranscriptOptions extends OutputOptions {
  /** False: ends after everything that has happened so far. Default true. */
  readonly isLive?: boolean;
  /** To continue: the `commandOrder` of the reader's last command. Default: that of the last one before `from`. */
  readonly after?: number;
}

/** The position of a part in the order of commands, which only grows. Undefined for output and sizes. */
export function commandOrder(part: TranscriptPart): number | undefined {
  if (part.kind === "started") return 2 * part.command.number;
  return part.kind === "finished" ? 2 * part.command.number + 1 : undefined;
}
