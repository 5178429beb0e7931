/**
 * Is it the prompt that the shell reads at? Its own `read`, and a line that goes on, look to the kernel almost the same.
 *
 * A shell reads each line at its prompt into the same place of its memory, and `read` into another. Behind a line that was
 * typed comes a prompt, ours or another, unless the line goes on: then the echo of its end is the last of the output.
 */

import type { Cursor } from "../base/cursor.ts";
import type { TerminalObservation } from "../probe/observe-terminal.ts";
import type { Session } from "../session/session.ts";
import { begunAfter } from "./begun-line.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { FrameFilter } from "./frame-filter.ts";
import { probeOf } from "./probe-of.ts";

const INTERRUPT = 0x03;
const LINE_ENDS: readonly number[] = [0x0a, 0x0d];
/** Number of the call, descriptor, address, length. What follows differs from call to call. */
const PLACE_FIELDS = 4;
/** Nobody types a line so soon after a prompt. */
const JUST_BACK_MS = 20;

type Told =
  | { readonly kind: "end"; readonly hasHooks: boolean }
  | { readonly kind: "prompt"; readonly isCertain: boolean };

export class PromptWatch {
  readonly #dialect: Dialect;
  readonly #filter: FrameFilter;
  #session: Session | undefined;
  /** Where the shell reads at its prompt. */
  #place: string | undefined;
  #promptAt: Cursor = 0;
  #promptMs = Number.NEGATIVE_INFINITY;
  /** What the shell has told last: that a command has ended, or that it is at its prompt. */
  #last: Told = { kind: "prompt", isCertain: false };
  /** Where the last line that somebody typed stands. */
  #typedAt: Cursor | undefined;
  /** Bytes of a line that somebody has begun since the prompt: what is thrown away of it would make another command of the rest. */
  #begun = 0;

  constructor(dialect: Dialect, filter: FrameFilter) {
    this.#dialect = dialect;
    this.#filter = filter;
  }

  attach(session: Session): void {
    this.#session = session;
    session.confideTyped(({ bytes }) => {
      this.#begun = begunAfter(this.#begun, bytes);
    });
    session.onTyped(({ bytes, cursor }) => {
      if (bytes.includes(INTERRUPT)) this.forgetTyped();
      else if (LINE_ENDS.some((end) => bytes.includes(end))) this.#typedAt = cursor;
    });
  }

  /** A command has ended; hooks of the user's run before the prompt, and may read. */
  noteEnd({ hasHooks }: { readonly hasHooks: boolean }): void {
    this.#last = { kind: "end", hasHooks };
    this.#begun = 0;
  }

  /** Our prompt came. It is certain where nothing but the shell itself can have printed it. */
  notePrompt({ isCertain }: { readonly isCertain: boolean }): void {
    this.#last = { kind: "prompt", isCertain };
    this.#begun = 0;
    this.#promptMs = performance.now();
    this.#promptAt = this.#session?.endCursor ?? 0;
  }

  /** Ctrl+C throws away what was begun. */
  forgetTyped(): void {
    this.#begun = 0;
    this.#typedAt = undefined;
  }

  /** The kernel says so: nothing typed is left to it. */
  isShellReading(): boolean {
    return this.#look() !== undefined;
  }

  /** It reads where it reads at its prompt, or edits a line. */
  isReadingLikePrompt(): boolean {
    // Where no prompt is ever ours, there is nothing else to go by.
    if (this.#promptMs === Number.NEGATIVE_INFINITY) return this.isShellReading();
    const look = this.#look();
    if (!look) return false;
    const isUsualPlace = this.#place !== undefined && placeOf(look) === this.#place;
    // Whoever edits a line waits before it reads; a `read` of single keys does not.
    if (!look.mode?.isCanonical) return isUsualPlace || !isPlainRead(look);
    if (this.#dialect.editsLines && !isPlainRead(look)) return false;
    return isUsualPlace || this.#place === undefined;
  }

  /** It reads keys. */
  isEditing(): boolean {
    const look = this.#look();
    return look !== undefined && look.mode?.isCanonical === false;
  }

  /** It reads where it reads at its prompt. */
  isReadingLinesAtPrompt(): boolean {
    const look = this.#look();
    return look !== undefined && this.#place !== undefined && placeOf(look) === this.#place;
  }

  /** It reads, and nobody else has begun anything there. */
  isAtPrompt(): boolean {
    if (this.#isJustBack()) return true;
    const look = this.#look();
    if (!look || this.#begun > 0 || (this.#session?.queuedInputBytes ?? 0) > 0) return false;
    // The echo of a line comes before the prompt behind it.
    const isFresh = this.#typedAt === undefined || this.#promptAt > this.#typedAt;
    if (!isFresh && this.#filter.endsLine) return false;
    const place = placeOf(look);
    // The `read` of one that edits lines polls; at its prompt it does so only to edit.
    if (this.#dialect.editsLines && look.mode?.isCanonical && !isPlainRead(look)) return false;
    if (this.#place === undefined || place === this.#place) {
      this.#place = place;
      return true;
    }
    // What reads at another place before the prompt is one of the hooks.
    if (this.#last.kind === "end" && this.#last.hasHooks && isPlainRead(look)) return false;
    if (!look.mode?.isCanonical) return true;
    // What is typed without echo is not told, as between the commands of one that edits lines.
    if (!isFresh || this.#dialect.editsLines) return false;
    this.#place = place;
    return true;
  }

  /**
   * It has printed its prompt and reads next, whether it does so yet or not. What one that edits lines finds there when it
   * begins keeps it from editing; any other has been seen at its prompt before, so that its place is known.
   */
  #isJustBack(): boolean {
    const session = this.#session;
    if (this.#last.kind !== "prompt") return false;
    if (!this.#dialect.editsLines && (!this.#last.isCertain || this.#place === undefined)) return false;
    if (!session || performance.now() - this.#promptMs > JUST_BACK_MS || session.queuedInputBytes > 0) return false;
    if (session.lastInputMs >= this.#promptMs) return false;
    const probe = probeOf(session);
    return probe.isProgramInForeground() && !probe.hasUnreadInput() && probe.terminalMode()?.isCanonical === true;
  }

  #look(): TerminalObservation | undefined {
    const session = this.#session;
    const look = session && probeOf(session).observe();
    if (!session || !look || typeof look.reader === "string" || look.hasUnreadInput) return undefined;
    return session.pid === null || look.reader.pid === session.pid ? look : undefined;
  }
}

function placeOf({ reader }: TerminalObservation): string | undefined {
  return typeof reader === "string" ? undefined : reader.place?.split(" ", PLACE_FIELDS).join(" ");
}

function isPlainRead({ reader }: TerminalObservation): boolean {
  return typeof reader !== "string" && reader.call === "read";
}
