/** The streams of a host over a link that can break: no value is repeated or missing. */
import type { Cursor } from "../../base/cursor.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { SessionService } from "../../service/session-service.ts";
import { commandOrder, type TranscriptPart } from "../../session/transcript-part.ts";
import { type Pause, resumedStream } from "./resumed-stream.ts";

type Streams = Pick<SessionService, "output" | "transcript" | "events">;

/** `pause`: waits before the next link; rejects when no other link will come. */
export function farStreams({ output, transcript, events }: Streams, pause: Pause): Streams {
  return {
    output: (key, options) =>
      resumedStream({
        open: (from) => output(key, { ...options, ...(from === undefined ? {} : { from }) }),
        start: options.from as Cursor | undefined,
        take: (page) => ({ value: page, position: page.next }),
        signal: options.signal,
        pause,
      }),
    transcript: (key, options) =>
      resumedStream({
        open: ({ size: _size, ...at }) => transcript(key, { ...options, ...at }),
        start: {} as TranscriptPosition,
        take: nextInTranscript,
        signal: options.signal,
        pause,
      }),
    events: (options) =>
      resumedStream({
        open: (after) => events({ ...options, after }),
        start: options.after ?? null,
        // The first page of each link often contains only its token.
        take: (page, position) => ({
          value: page.events.length + page.dropped > 0 ? page : undefined,
          position: page.token ?? position,
        }),
        signal: options.signal,
        pause,
      }),
  };
}

/** How far a reader has read a transcript. */
interface TranscriptPosition {
  readonly from?: Cursor;
  readonly after?: number;
  readonly size?: TerminalSize | null;
}

/** Pure. The first part of each link is the size, which the reader may already have. */
function nextInTranscript(
  part: TranscriptPart,
  position: TranscriptPosition,
): { readonly value: TranscriptPart | undefined; readonly position: TranscriptPosition } {
  if (part.kind === "output") return { value: part, position: { ...position, from: part.page.next } };
  if (part.kind !== "size") return { value: part, position: { ...position, after: commandOrder(part) ?? 0 } };
  const { size } = part;
  const isKnown = position.size !== undefined && JSON.stringify(position.size) === JSON.stringify(size);
  return { value: isKnown ? undefined : part, position: { ...position, size } };
}
