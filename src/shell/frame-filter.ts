/**
 * Takes our marks out of the output and tells of them, in order with the rest. A mark may be split anywhere; what only
 * begins like one is output. Each byte is looked at once: a search for the beginning, and one for the end.
 */
import { MAX_MARK_BYTES } from "../base/limits.ts";
import type { OutputFilter } from "../session/output-filter.ts";
import { type EndMark, MARK_INTRO, NONCE_LENGTH, parseEnd } from "./mark.ts";

export interface FrameEvents {
  onStart(): void;
  onEnd(mark: EndMark): void;
  onPrompt(): void;
}

interface FilterOptions {
  readonly promptNonce: string;
  /** What the shell prints by itself between commands; it comes in one piece. */
  readonly noise: string | undefined;
}

type Pass = (bytes: Uint8Array) => void;

const INTRO = Buffer.from(MARK_INTRO);
const BELL = 0x07;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The introduction, a letter, a semicolon, the nonce. */
const HEAD_BYTES = INTRO.length + 2 + NONCE_LENGTH;
const DROPPED_BYTES = 2048;
const NOTHING = Buffer.alloc(0);

export class FrameFilter implements OutputFilter {
  readonly #events: FrameEvents;
  readonly #promptNonce: string;
  readonly #noise: Buffer | undefined;
  #nonces: string[] = [];
  #isTelling = false;
  #held: Buffer = NOTHING;
  /** What arrives is the shell's own noise: it goes nowhere but here. */
  isDropping = true;
  /** A command is at work: what arrives is its output. */
  isRunning = false;
  /** The last byte of output was the end of a line. */
  endsLine = true;
  /** The latest of what was dropped, for who wants to know why a shell does not get ready. */
  dropped = "";

  constructor({ promptNonce, noise }: FilterOptions, events: FrameEvents) {
    this.#promptNonce = promptNonce;
    this.#noise = noise === undefined ? undefined : Buffer.from(noise);
    this.#events = events;
  }

  /** From here on only marks with this nonce count. */
  expect(nonce: string): void {
    this.#nonces = [nonce];
    this.#isTelling = true;
  }

  /** Marks with this nonce count, too: whoever is asked may still tell by itself. */
  expectAlso(nonce: string): void {
    this.#nonces.push(nonce);
  }

  /** No more is awaited. What comes late is taken out all the same. */
  expectNone(): void {
    this.#isTelling = false;
  }

  push(bytes: Uint8Array, pass: Pass): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // A copy where something is held: the bytes given are valid in this turn only.
    let all = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = NOTHING;
    let at = 0;
    for (;;) {
      const found = all.indexOf(INTRO, at);
      if (found < 0) break;
      const length = this.#markLength(all.subarray(found));
      if (length === "incomplete") {
        this.#hand(all.subarray(at, found), pass);
        this.#held = Buffer.from(all.subarray(found));
        return;
      }
      const end = found + Math.max(length, 1);
      // What is no mark of ours stays where it is; the search goes on behind its first byte.
      this.#hand(all.subarray(at, length === 0 ? end : found), pass);
      at = end;
      if (length === 0) continue;
      // Whoever is told may read on, into the buffer that these bytes are in.
      const mark = Buffer.from(all.subarray(found, end));
      all = Buffer.from(all.subarray(end));
      at = 0;
      this.#tell(mark);
    }
    const kept = all.length - begunIntro(all.subarray(at));
    this.#hand(all.subarray(at, kept), pass);
    if (kept < all.length) this.#held = Buffer.from(all.subarray(kept));
  }

  finish(pass: Pass): void {
    this.#hand(this.#held, pass);
    this.#held = NOTHING;
  }

  #hand(bytes: Buffer, pass: Pass): void {
    if (bytes.length === 0) return;
    if (this.isDropping) this.dropped = (this.dropped + bytes.toString("utf8", 0, DROPPED_BYTES)).slice(-DROPPED_BYTES);
    else if (this.#noise && !this.isRunning) this.#handQuiet(bytes, this.#noise, pass);
    else this.#pass(bytes, pass);
  }

  #pass(bytes: Buffer, pass: Pass): void {
    this.endsLine = bytes.at(-1) === LINE_FEED;
    pass(bytes);
  }

  #handQuiet(bytes: Buffer, noise: Buffer, pass: Pass): void {
    const at = bytes.indexOf(noise);
    if (at < 0) {
      this.#pass(bytes, pass);
      return;
    }
    if (at > 0) this.#pass(bytes.subarray(0, at), pass);
    this.#hand(bytes.subarray(at + noise.length), pass);
  }

  /** 0: not one of ours. */
  #markLength(bytes: Buffer): number | "incomplete" {
    const head = bytes.toString("latin1", INTRO.length, HEAD_BYTES);
    const wanted = [`p;${this.#promptNonce}`, ...this.#nonces.flatMap((nonce) => [`s;${nonce}`, `e;${nonce}`])];
    const kind = wanted.find((expected) => expected.startsWith(head));
    if (kind === undefined) return 0;
    if (head.length < kind.length) return "incomplete";
    const tail = kind.startsWith("e") ? Buffer.from(`;${kind.slice(2)}\x07`) : Buffer.of(BELL);
    if (!kind.startsWith("e")) {
      if (bytes.length === HEAD_BYTES) return "incomplete";
      return bytes[HEAD_BYTES] === BELL ? HEAD_BYTES + 1 : 0;
    }
    const end = bytes.subarray(0, MAX_MARK_BYTES).indexOf(tail, HEAD_BYTES);
    if (end < 0) return bytes.length < MAX_MARK_BYTES ? "incomplete" : 0;
    const lineEnd = lineEndLength(bytes.subarray(end + tail.length));
    return lineEnd === "incomplete" ? lineEnd : end + tail.length + lineEnd;
  }

  #tell(mark: Buffer): void {
    const kind = String.fromCharCode(mark[INTRO.length] ?? 0);
    if (kind === "p") this.#events.onPrompt();
    else if (!this.#isTelling) return;
    else if (kind === "s") this.#events.onStart();
    else {
      const end = parseEnd(mark.subarray(HEAD_BYTES));
      if (end) this.#events.onEnd(end);
    }
  }
}

/** Pure: as the terminal has made it; 0 where something else follows. */
function lineEndLength(bytes: Buffer): number | "incomplete" {
  const [first, second] = bytes;
  if (first === LINE_FEED) return 1;
  if (first === undefined || (first === CARRIAGE_RETURN && second === undefined)) return "incomplete";
  return first === CARRIAGE_RETURN && second === LINE_FEED ? 2 : 0;
}

/** Pure: how many bytes at the end could be the beginning of an introduction. */
function begunIntro(bytes: Buffer): number {
  const tail = bytes.subarray(Math.max(0, bytes.length - INTRO.length + 1));
  const from = tail.lastIndexOf(0x1b);
  const begun = from < 0 ? NOTHING : tail.subarray(from);
  return INTRO.subarray(0, begun.length).equals(begun) ? begun.length : 0;
}
