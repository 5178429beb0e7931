/** What can be recorded, and how. */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { Timeline } from "../journal/timeline.ts";
import type { OnTyped } from "../session/session-input.ts";
import type { CastFormat, CastHeader } from "./asciicast.ts";

/** What can be recorded: a `Session`, or anything else that gives pages of output. */
export interface RecordSource {
  output(options: { readonly from: Cursor; readonly signal: AbortSignal }): AsyncIterable<Page>;
  readonly endCursor: Cursor;
  readonly size: TerminalSize;
  readonly program?: string;
  readonly args?: readonly string[];
  readonly name?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
  readonly exit?: Exit | undefined;
  /** Without it, all that came before the recording has the time of its beginning. */
  readonly timeline?: Timeline;
  onTyped?(listener: OnTyped): () => void;
}

/** How to record. */
export interface RecordOptions {
  /** Made, and only yours to read; refused where it is there already. */
  readonly file: string;
  /** The version of asciicast. Default 3; players from before 2025 know only 2. */
  readonly format?: CastFormat;
  /** `start`: with all that the session still has of its beginning. `now`: only what comes. Default `start`. */
  readonly from?: "start" | "now";
  /** Also what is typed, as far as the terminal shows it. Default false. */
  readonly input?: boolean;
}

/** `cursor`: where the recording begins. */
export function headerOf(source: RecordSource, { format = 3, from }: RecordOptions, cursor: Cursor): CastHeader {
  const { program, args = [], name, startedAt = Date.now(), timeline, size } = source;
  return {
    format,
    size: timeline?.sizeAt(cursor) ?? size,
    startedAt: from === "now" ? Date.now() : startedAt,
    ...(name === undefined ? {} : { title: name }),
    ...(program === undefined ? {} : { command: [program, ...args].join(" ") }),
  };
}
