/** What can be recorded, and the options. */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { Timeline } from "../journal/timeline.ts";
import type { OnTyped } from "../session/input/session-input.ts";
import type { CastFormat, WrittenHeader } from "./asciicast.ts";

/** What can be recorded: a `Session`, or anything else that provides pages of output. */
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
  /**
   * Without it, all output from before the recording gets the time of its start, and later output the time when it is
   * read.
   */
  readonly timeline?: Timeline;
  onTyped?(listener: OnTyped): () => void;
}

/** How to record. */
export interface RecordOptions {
  /** The file to create, readable only by you. It must not exist yet. */
  readonly file: string;
  /** The version of asciicast. Default 3; players from before 2025 only support 2. */
  readonly format?: CastFormat;
  /**
   * `start`: include everything the session still has from its beginning. `now`: only what follows. Default `start`.
   */
  readonly from?: "start" | "now";
  /** Also record input that the terminal echoes. Default false. */
  readonly input?: boolean;
  /** Applied to every text in the file. Output is redacted where it is stored. Default: nothing is changed. */
  readonly redact?: (text: string) => string;
}

/** `cursor`: where the recording starts. */
export function headerOf(
  source: RecordSource,
  { format = 3, from, redact = asItIs }: RecordOptions,
  cursor: Cursor,
): WrittenHeader {
  const { program, args = [], name, startedAt = Date.now(), timeline, size } = source;
  return {
    format,
    size: timeline?.sizeAt(cursor) ?? size,
    startedAt: from === "now" ? Date.now() : startedAt,
    ...(name === undefined ? {} : { title: redact(name) }),
    ...(program === undefined ? {} : { command: redact([program, ...args].join(" ")) }),
  };
}

function asItIs(text: string): string {
  return text;
}
