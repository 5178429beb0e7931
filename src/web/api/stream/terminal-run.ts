/**
 * One stream of a session's transcript for the terminal of a page, until it ends or the page needs a new screen.
 *
 * A short session is drawn from its first byte, and one that ran commands from a command that is far enough back. Of
 * others, the screen that the host has drawn is painted, with some lines above it. A page that falls far behind, or
 * that comes back after output was dropped, gets a new screen instead of everything in between.
 */
import { MAX_COLS, MAX_ROWS, SCREEN_SCROLLBACK_LINES } from "../../../base/limits.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import type { TerminalSize } from "../../../base/terminal-size.ts";
import { paintScreen } from "../../../screen/painting/paint-screen.ts";
import type { ScreenState } from "../../../screen/screen.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { commandOrder, type TranscriptPart } from "../../../session/transcript-part.ts";
import type { PageEvents } from "../messages.ts";
import type { TerminalPosition } from "./event-id.ts";
import { TerminalText } from "./terminal-text.ts";

type TerminalName = "screen" | "output" | "size" | "command" | "ended";

/** A part of a page's stream, and what the page has of the terminal then. Undefined: it must start over. */
export type TerminalEvent = {
  readonly [Name in TerminalName]: {
    readonly event: Name;
    readonly data: PageEvents[Name];
    readonly position: TerminalPosition | undefined;
  };
}[TerminalName];

/** Drawn by a browser in some milliseconds. */
const REPLAYED_BYTES = 256 * 1024;
/** Longer than any sequence: after this much output it is known whether the last sequence is complete. */
const PRIMING_BYTES = 16 * 1024;
/** A person who is this far behind wants to see what is on the screen. */
const MOST_BEHIND_BYTES = 2 * 1024 * 1024;
/** How much output is sent before limpet checks again how far behind the page is. */
const LOOK_EVERY_BYTES = 512 * 1024;
/** For output that has no terminal. */
const PIPE_SIZE: TerminalSize = { cols: 120, rows: 30 };
const START: TerminalPosition = { cursor: 0, order: 0, isAlternate: false, lacksMain: false, isWoven: false };

export class TerminalRun {
  readonly #sessions: SessionService;
  readonly #key: string;
  readonly #signal: AbortSignal;
  #text = new TerminalText({ size: PIPE_SIZE, isPlain: false });
  #position: TerminalPosition = START;
  #size: TerminalSize | undefined;
  #sinceLook = 0;

  constructor(sessions: SessionService, key: string, signal: AbortSignal) {
    this.#sessions = sessions;
    this.#key = key;
    this.#signal = signal;
  }

  async *events(from: TerminalPosition | undefined): AsyncGenerator<TerminalEvent, void, undefined> {
    if (from === undefined || !(await this.#resume(from))) yield* this.#firstScreen();
    const { cursor, order } = this.#position;
    const options = { from: cursor, signal: this.#signal, ...(order > 0 ? { after: order } : {}) };
    for await (const part of this.#sessions.transcript(this.#key, options)) {
      const lost = await this.#lostBefore(part);
      if (lost > 0) {
        const data = { key: this.#key, bytes: "", cursor: this.#position.cursor, dropped: lost };
        return yield { event: "output", data, position: undefined };
      }
      yield* this.#eventsOf(part);
      // What lies below the alternate screen was not drawn.
      if (this.#position.lacksMain && !this.#position.isAlternate) return;
    }
    const { exit, lost } = await this.#sessions.find(this.#key);
    yield { event: "ended", data: { key: this.#key, exit, isLost: lost }, position: this.#position };
  }

  /** The first screen. What follows it comes from the transcript. */
  async *#firstScreen(): AsyncGenerator<TerminalEvent, void, undefined> {
    const { outputBytes, size } = await this.#sessions.find(this.#key);
    const from = outputBytes <= REPLAYED_BYTES ? 0 : await this.#commandAfter(outputBytes - REPLAYED_BYTES);
    if (size === null) {
      yield this.#screen({ size: PIPE_SIZE, text: "", cursor: from ?? outputBytes - REPLAYED_BYTES, isPlain: true });
    } else if (from === undefined) {
      const state = await this.#readScreen();
      const { cursor, isAlternate } = state.snapshot;
      const first = { size: state.snapshot.size, cursor, isPlain: false, isAlternate };
      const event = this.#screen({ ...first, text: paintScreen(state) });
      await this.#prime(cursor);
      yield event;
    } else {
      yield this.#screen({ size: await this.#sizeAt(from), text: "", cursor: from, isPlain: false });
    }
  }

  async #readScreen(): Promise<ScreenState> {
    const { screen } = await this.#sessions.turn({
      caller: "limpet web",
      on: { kind: "session", key: this.#key },
      read: { kind: "screen", cells: true, scrollback: SCREEN_SCROLLBACK_LINES },
      isWatch: true,
      signal: this.#signal,
    });
    if (!screen) throw new LimpetError("SESSION_NOT_FOUND", `Session ${this.#key} has no screen. List the sessions.`);
    return screen;
  }

  #screen(first: {
    readonly size: TerminalSize;
    readonly text: string;
    readonly cursor: number;
    readonly isPlain: boolean;
    readonly isAlternate?: boolean;
  }): TerminalEvent {
    const { size, text, cursor, isPlain, isAlternate = false } = first;
    this.#size = size;
    this.#text = new TerminalText({ size, isPlain });
    this.#position = { ...START, cursor, isAlternate, lacksMain: isAlternate };
    const data = { key: this.#key, size, bytes: base64(text), cursor, isPlain };
    return { event: "screen", data, position: this.#position };
  }

  /**
   * False if the page needs a new screen: it lacks what lies below the alternate screen, or a new host has less output
   * of the session than the page.
   */
  async #resume(from: TerminalPosition): Promise<boolean> {
    const { size, outputBytes } = await this.#sessions.find(this.#key);
    if (outputBytes < from.cursor || (from.lacksMain && !from.isAlternate)) return false;
    this.#text = new TerminalText({ size: { cols: MAX_COLS, rows: MAX_ROWS }, isPlain: size === null });
    this.#position = from;
    await this.#prime(from.cursor);
    return true;
  }

  /** Brings the filter into the state that it has after everything before the cursor. */
  async #prime(cursor: number): Promise<void> {
    const { isAlternate, isWoven } = this.#position;
    const start = Math.max(0, cursor - PRIMING_BYTES);
    const parts: Uint8Array[] = [];
    if (start < cursor) {
      for await (const { bytes, from, next } of this.#sessions.output(this.#key, {
        from: start,
        signal: this.#signal,
      })) {
        if (from >= cursor) break;
        parts.push(bytes.subarray(0, cursor - from));
        if (next >= cursor) break;
      }
    }
    this.#text.skip(Buffer.concat(parts), { isAlternate, isWoven });
  }

  /** Where the first command after a cursor begins. */
  async #commandAfter(cursor: number): Promise<number | undefined> {
    return (await this.#sessions.history(this.#key)).find(({ from }) => from >= cursor)?.from;
  }

  async #sizeAt(cursor: number): Promise<TerminalSize> {
    for await (const part of this.#sessions.transcript(this.#key, {
      from: cursor,
      isLive: false,
      signal: this.#signal,
    }))
      return (part.kind === "size" && part.size) || PIPE_SIZE;
    return PIPE_SIZE;
  }

  /** How much output before this part the page does not get: it was dropped, or the page is too far behind. */
  async #lostBefore(part: TranscriptPart): Promise<number> {
    if (part.kind !== "output") return 0;
    const { dropped, bytes, from } = part.page;
    if (dropped > 0) return dropped;
    this.#sinceLook += bytes.length;
    if (this.#sinceLook < LOOK_EVERY_BYTES) return 0;
    this.#sinceLook = 0;
    const behind = (await this.#sessions.find(this.#key)).outputBytes - from;
    return behind > MOST_BEHIND_BYTES ? behind : 0;
  }

  *#eventsOf(part: TranscriptPart): Generator<TerminalEvent, void, undefined> {
    switch (part.kind) {
      case "size": {
        const { size } = part;
        if (size === null || (size.cols === this.#size?.cols && size.rows === this.#size.rows)) return;
        this.#size = size;
        this.#text.size = size;
        yield { event: "size", data: { key: this.#key, size }, position: this.#position };
        return;
      }
      case "output": {
        const text = this.#text.draw(part.page.bytes);
        const { isAlternate } = this.#text;
        this.#position = { ...this.#position, cursor: part.page.next, isAlternate, isWoven: false };
        yield this.#output(text);
        return;
      }
      default: {
        const { command } = part;
        const text = this.#text.weave(part);
        const order = commandOrder(part) ?? this.#position.order;
        const isWoven = this.#position.isWoven || text !== "";
        // The position advances only with the line, so a page that reconnects in between gets both again.
        yield { event: "command", data: { key: this.#key, command }, position: this.#position };
        this.#position = { ...this.#position, order, isWoven };
        yield this.#output(text);
      }
    }
  }

  #output(text: string): TerminalEvent {
    const { cursor } = this.#position;
    return {
      event: "output",
      data: { key: this.#key, bytes: base64(text), cursor, dropped: 0 },
      position: this.#position,
    };
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
