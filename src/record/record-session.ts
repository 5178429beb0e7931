/**
 * Writes what happens in a session to a file, as it happens.
 *
 * Output is read from the journal at the recording's own pace, and has the time of its arrival. If the journal dropped
 * output in the meantime, the file contains a marker. Input and size changes are inserted at their cursor in the
 * output. A disk error ends the recording, but never affects the session.
 */

import { constants } from "node:os";
import { TextDecoder } from "node:util";
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { Arrivals, TimedSpan } from "../journal/arrivals.ts";
import type { Typed } from "../session/input/session-input.ts";
import type { CastEvent } from "./asciicast.ts";
import { CastWriter } from "./cast-writer.ts";
import { CommandWeaver } from "./command-lines.ts";
import { commandMarks } from "./command-marks.ts";
import { InputEvents } from "./input-events.ts";
import { type InputEvent, piecesOf } from "./pieces-of.ts";
import { headerOf, type RecordOptions, type RecordSource } from "./record-source.ts";

/** The state of a recording. `droppedBytes`: output that the session dropped before it was recorded. */
export type RecordingState = {
  readonly file: string;
  readonly fileBytes: number;
  readonly events: number;
  readonly droppedBytes: number;
} & (
  | { readonly kind: "recording" }
  | { readonly kind: "done"; readonly why: "ended" | "stopped" }
  /** A disk error ended the recording. Every line in the file is complete. */
  | { readonly kind: "failed"; readonly reason: string }
);

type Outcome =
  | { readonly kind: "recording" }
  | { readonly kind: "done"; readonly why: "ended" | "stopped" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Records a session to a file until the session ends or the recording is stopped. Resolves when the file exists;
 * rejects with `CANNOT_RECORD` if it cannot be created. The session never waits for the file.
 */
export async function recordSession(source: RecordSource, options: RecordOptions): Promise<Recording> {
  const { timeline } = source;
  const startedMs = performance.now();
  const clock = timeline ? () => timeline.nowMs : () => performance.now() - startedMs;
  const isFromNow = options.from === "now";
  const liveFrom = source.endCursor;
  const from = isFromNow ? liveFrom : 0;
  // Before the file exists: output may arrive in the meantime.
  const arrivals = timeline?.follow();
  try {
    const writer = await CastWriter.create({
      path: options.file,
      header: headerOf(source, options, from),
      zeroMs: isFromNow ? clock() : 0,
      ...(options.redact ? { redact: options.redact } : {}),
    });
    return new Recording(source, options, { writer, clock, from, liveFrom, arrivals });
  } catch (error) {
    if (arrivals) timeline?.unfollow(arrivals);
    throw error;
  }
}

interface RecordingParts {
  readonly writer: CastWriter;
  readonly clock: () => number;
  readonly from: Cursor;
  /** Output from here on arrives while the recording runs. For earlier output only the timeline has the times. */
  readonly liveFrom: Cursor;
  /** When output from `liveFrom` on arrived. */
  readonly arrivals: Arrivals | undefined;
}

/** A running recording. Created by `recordSession`. */
export class Recording {
  readonly #source: RecordSource;
  readonly #options: RecordOptions;
  readonly #parts: RecordingParts;
  readonly #stopping = new AbortController();
  readonly #inputEvents: InputEvents;
  readonly #weaver = new CommandWeaver();
  #decoder = newDecoder();
  #cursor: Cursor;
  #stopAt = Number.POSITIVE_INFINITY;
  #droppedBytes = 0;
  #outcome: Outcome = { kind: "recording" };
  #turn: Promise<void> = Promise.resolve();
  readonly #done: Promise<void>;

  constructor(source: RecordSource, options: RecordOptions, parts: RecordingParts) {
    this.#source = source;
    this.#options = options;
    this.#parts = parts;
    this.#cursor = parts.from;
    this.#inputEvents = new InputEvents(
      { sizes: () => source.timeline?.sizes ?? [], commands: () => commandMarks(source) },
      parts.from,
    );
    this.#done = this.#follow();
  }

  get state(): RecordingState {
    const { fileBytes, events } = this.#parts.writer;
    return { file: this.#options.file, fileBytes, events, droppedBytes: this.#droppedBytes, ...this.#outcome };
  }

  /**
   * Resolves with the last state when the session has ended, the recording was stopped, or the disk failed. Never
   * rejects.
   */
  get done(): Promise<RecordingState> {
    return this.#done.then(() => this.state);
  }

  /** Ends the recording with everything the session has printed so far. Can be called more than once. */
  async stop(): Promise<RecordingState> {
    this.#stopAt = Math.min(this.#stopAt, this.#source.endCursor);
    if (this.#cursor >= this.#stopAt) this.#stopping.abort();
    return await this.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    const unlisten = this.#options.input ? this.#source.onTyped?.((typed) => this.#noteTyped(typed)) : undefined;
    await this.#inTurn(() => this.#parts.writer.begin());
    try {
      for await (const page of this.#source.output({ from: this.#parts.from, signal })) {
        await this.#inTurn(() => this.#take(page));
        if (this.#outcome.kind !== "recording" || this.#cursor >= this.#stopAt) break;
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
    unlisten?.();
    const { arrivals } = this.#parts;
    if (arrivals) this.#source.timeline?.unfollow(arrivals);
    await this.#inTurn(() => this.#finish());
    await this.#parts.writer.close();
  }

  /** Runs one task at a time, so that the file has the order of the events. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      if (this.#outcome.kind === "recording") await work().catch((error) => this.#fail(error));
    });
    return this.#turn;
  }

  #fail(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    this.#outcome = { kind: "failed", reason: code ?? message };
  }

  async #take(page: Page): Promise<void> {
    const times = this.#timesOf(page);
    const inputEvents = this.#inputEvents.take(page.next - 1);
    const events = page.dropped > 0 ? [this.#noteGap(page.dropped, times[0]?.atMs ?? 0)] : [];
    for (const piece of piecesOf(page, { inputEvents, times })) {
      if (piece.kind === "event") events.push(...this.#eventsOf(piece.input));
      else events.push(...this.#outputEvent(piece));
    }
    this.#cursor = page.next;
    this.#parts.arrivals?.forget(page.next);
    await this.#parts.writer.write(events);
  }

  /** Bytes that are not UTF-8 become U+FFFD. An incomplete character is held until the next event. */
  #outputEvent({ bytes, atMs }: { readonly bytes: Uint8Array; readonly atMs: number }): readonly CastEvent[] {
    this.#weaver.noteOutput(bytes);
    const text = this.#decoder.decode(bytes, { stream: true });
    return text === "" ? [] : [{ kind: "output", text, atMs }];
  }

  /** A command is a marker, and a line in the terminal. */
  #eventsOf({ event, command }: InputEvent): readonly CastEvent[] {
    if (!command) return [event];
    return [event, { kind: "output", text: this.#weaver.weave(command), atMs: event.atMs }];
  }

  #noteGap(bytes: number, atMs: number): CastEvent {
    // The rest of an incomplete character before a gap never arrives.
    this.#decoder = newDecoder();
    this.#droppedBytes += bytes;
    return { kind: "marker", label: `${bytes} bytes of output are not in this recording`, atMs };
  }

  #takeEvents(cursor: Cursor): readonly CastEvent[] {
    return this.#inputEvents.take(cursor).flatMap((input) => this.#eventsOf(input));
  }

  #timesOf({ from, next }: Page): readonly TimedSpan[] {
    const { arrivals, clock } = this.#parts;
    const liveFrom = Math.min(Math.max(this.#parts.liveFrom, from), next);
    const known = this.#source.timeline?.times(from, liveFrom) ?? [{ from, to: liveFrom, atMs: 0 }];
    const live = arrivals?.times(liveFrom, next) ?? [{ from: liveFrom, to: next, atMs: clock() }];
    return [...known, ...live].filter((span) => span.to > span.from);
  }

  #noteTyped(typed: Typed): void {
    if (typed.cursor < this.#parts.from) return;
    this.#inputEvents.noteTyped(typed);
    // Written at once, because output may not follow for a long time.
    void this.#inTurn(() => this.#parts.writer.write(this.#takeEvents(this.#cursor)));
  }

  async #finish(): Promise<void> {
    const { exit } = this.#source;
    const why = Number.isFinite(this.#stopAt) ? "stopped" : "ended";
    const atMs = this.#parts.clock();
    const rest = this.#decoder.decode();
    const events: CastEvent[] = [...this.#takeEvents(Number.POSITIVE_INFINITY)];
    if (rest !== "") events.push({ kind: "output", text: rest, atMs });
    if (why === "ended" && exit && exit.kind !== "lost") events.push({ kind: "exit", code: codeOf(exit), atMs });
    await this.#parts.writer.write(events);
    this.#outcome = { kind: "done", why };
  }
}

/** The exit code as a shell reports it in `$?`. */
function codeOf(exit: Exclude<Exit, { kind: "lost" }>): number {
  if (exit.kind === "code") return exit.code;
  return 128 + (constants.signals[exit.signal as NodeJS.Signals] ?? 0);
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
