/**
 * Removes our marks from the output and reports them. A mark may be split at any byte. Bytes that only start like a
 * mark are output. Each byte is scanned once: for the beginning of a mark, and for its end.
 *
 * A mark is reported twice. First `noteMark` is called at its position, which decides what happens to the output after
 * it. The function it returns is called after the whole chunk was passed on: it may observe the terminal, and an
 * observation reads more output, which must come after the rest of this chunk.
 *
 * Some shells write the line feed of a mark separately, and a job may print in between. Then the next empty line counts
 * as that line feed.
 */
import { MAX_MARK_BYTES } from "../../base/limits.ts";
import type { OutputFilter } from "../../session/output-filter.ts";
import type { OutputMode } from "./decide-output-mode.ts";
import { MARK_INTRO, type Mark, NONCE_LENGTH, parseEnd } from "./mark.ts";

export interface MarkListener {
  /** What happens to the output that follows. */
  mode(): OutputMode;
  /** Called at the position of the mark. Must not observe the terminal. Returns what to do after the chunk. */
  noteMark(mark: Mark): (() => void) | undefined;
}

interface FilterOptions {
  readonly promptNonce: string;
  /** What the shell itself prints between commands. It arrives in one piece. */
  readonly noise: string | undefined;
}

interface ExpectedNonces {
  readonly start?: string;
  readonly end?: string;
  readonly tail?: string;
}

type Pass = (bytes: Uint8Array) => void;

const INTRO = Buffer.from(MARK_INTRO);
const BELL = 0x07;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The letter of a prompt mark. */
const PROMPT = 0x70;
/** The introduction, a letter, a semicolon, the nonce. */
const HEAD_BYTES = INTRO.length + 2 + NONCE_LENGTH;
const DROPPED_BYTES = 2048;
const NOTHING = Buffer.alloc(0);

export class FrameFilter implements OutputFilter {
  readonly #listener: MarkListener;
  readonly #promptNonce: string;
  readonly #noise: Buffer | undefined;
  #startNonce = "";
  #endNonce = "";
  #endTail = "";
  #held: Buffer = NOTHING;
  readonly #reports: (() => void)[] = [];
  #isReporting = false;
  #endsLine = true;
  #dropped = "";
  /** The last mark came without its line feed. */
  #owesLineEnd = false;

  constructor({ promptNonce, noise }: FilterOptions, listener: MarkListener) {
    this.#promptNonce = promptNonce;
    this.#noise = noise === undefined ? undefined : Buffer.from(noise);
    this.#listener = listener;
  }

  /** The last byte that was passed on ends a line. */
  get endsLine(): boolean {
    return this.#endsLine;
  }

  /** The latest dropped output. It may explain why a shell does not become ready. */
  get dropped(): string {
    return this.#dropped;
  }

  /** From now on, start and end marks count only with these nonces. One that is not given stays. */
  expect({ start = this.#startNonce, end = this.#endNonce, tail = this.#endTail }: ExpectedNonces): void {
    this.#startNonce = start;
    this.#endNonce = end;
    this.#endTail = tail;
  }

  /** Call when everything that the shell wrote with its last mark has arrived. */
  settle(): void {
    this.#owesLineEnd = false;
  }

  push(bytes: Uint8Array, pass: Pass): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const rest = this.#scan(this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk, pass);
    // Copied, because the bytes are only valid during the call.
    this.#held = rest.length > 0 ? Buffer.from(rest) : NOTHING;
    this.#report();
  }

  finish(pass: Pass): void {
    this.#hand(this.#held, pass);
    this.#held = NOTHING;
  }

  /** Returns the beginning of a mark whose rest has not arrived. */
  #scan(bytes: Buffer, pass: Pass): Buffer {
    let from = 0;
    let searchFrom = 0;
    for (;;) {
      const found = bytes.indexOf(INTRO, searchFrom);
      if (found < 0) break;
      const length = this.#markLength(bytes.subarray(found));
      searchFrom = found + Math.max(length === "incomplete" ? 0 : length, 1);
      if (length === 0) continue;
      this.#hand(bytes.subarray(from, found), pass);
      if (length === "incomplete") return bytes.subarray(found);
      from = searchFrom;
      this.#note(bytes.subarray(found, from));
    }
    const kept = bytes.length - partialIntro(bytes.subarray(searchFrom));
    this.#hand(bytes.subarray(from, kept), pass);
    return bytes.subarray(kept);
  }

  #note(bytes: Buffer): void {
    this.#owesLineEnd = bytes[INTRO.length] !== PROMPT && bytes.at(-1) === BELL;
    if (this.#owesLineEnd) this.#endsLine = true;
    const report = this.#listener.noteMark(parseMark(bytes));
    if (report) this.#reports.push(report);
  }

  /** Reports in the order of the marks: marks found by an observation during a report are queued. */
  #report(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    try {
      for (let report = this.#reports.shift(); report; report = this.#reports.shift()) report();
    } finally {
      this.#isReporting = false;
    }
  }

  #hand(bytes: Buffer, pass: Pass): void {
    if (bytes.length === 0) return;
    const mode = this.#listener.mode();
    if (mode === "drop") this.#drop(bytes);
    else if (mode === "between" && this.#noise) this.#passWithout(this.#noise, bytes, pass);
    else this.#pass(bytes, pass);
  }

  #drop(bytes: Buffer): void {
    this.#dropped = (this.#dropped + bytes.toString("utf8", 0, DROPPED_BYTES)).slice(-DROPPED_BYTES);
  }

  #pass(bytes: Buffer, pass: Pass): void {
    if (bytes.length === 0) return;
    const owed = this.#owesLineEnd ? emptyLine(bytes, this.#endsLine) : undefined;
    if (owed) {
      this.#owesLineEnd = false;
      this.#pass(bytes.subarray(0, owed.from), pass);
      this.#pass(bytes.subarray(owed.to), pass);
      return;
    }
    this.#endsLine = bytes.at(-1) === LINE_FEED;
    pass(bytes);
  }

  #passWithout(noise: Buffer, bytes: Buffer, pass: Pass): void {
    let from = 0;
    for (let at = bytes.indexOf(noise); at >= 0; at = bytes.indexOf(noise, from)) {
      this.#pass(bytes.subarray(from, at), pass);
      from = at + noise.length;
    }
    this.#pass(bytes.subarray(from), pass);
  }

  /** 0: not one of our marks. */
  #markLength(bytes: Buffer): number | "incomplete" {
    const head = bytes.toString("latin1", INTRO.length, HEAD_BYTES);
    const wanted = [`p;${this.#promptNonce}`, `s;${this.#startNonce}`, `e;${this.#endNonce}`];
    const kind = wanted.find((expected) => expected.startsWith(head));
    if (kind === undefined) return 0;
    if (head.length < kind.length) return "incomplete";
    const tail = kind.startsWith("e") ? `;${this.#endTail}\x07` : "\x07";
    const at = kind.startsWith("e") ? bytes.subarray(0, MAX_MARK_BYTES).indexOf(tail, HEAD_BYTES) : HEAD_BYTES;
    if (at < 0) return bytes.length < MAX_MARK_BYTES ? "incomplete" : 0;
    // Somebody has printed the beginning of a mark before this one.
    if (bytes.subarray(0, at).lastIndexOf(`${MARK_INTRO}${kind}`) > 0) return 0;
    if (bytes.length === at) return "incomplete";
    if (bytes[at + tail.length - 1] !== BELL) return 0;
    const lineEnd = kind.startsWith("p") ? 0 : lineEndLength(bytes.subarray(at + tail.length));
    return lineEnd === "incomplete" ? lineEnd : at + tail.length + lineEnd;
  }
}

function parseMark(bytes: Buffer): Mark {
  const kind = String.fromCharCode(bytes[INTRO.length] ?? 0);
  if (kind === "p") return { kind: "prompt" };
  if (kind === "s") return { kind: "start" };
  return { kind: "end", end: parseEnd(bytes.subarray(HEAD_BYTES)) };
}

/** Pure: the length of the line end as the terminal prints it; 0 if something else follows. */
function lineEndLength(bytes: Buffer): number | "incomplete" {
  const [first, second] = bytes;
  if (first === LINE_FEED) return 1;
  if (first === undefined || (first === CARRIAGE_RETURN && second === undefined)) return "incomplete";
  return first === CARRIAGE_RETURN && second === LINE_FEED ? 2 : 0;
}

/** Pure: the first empty line that is complete in this chunk; undefined if there is none. */
function emptyLine(bytes: Buffer, beginsLine: boolean): { readonly from: number; readonly to: number } | undefined {
  for (let from = beginsLine ? 0 : nextLine(bytes, 0); from < bytes.length; from = nextLine(bytes, from)) {
    const length = lineEndLength(bytes.subarray(from));
    if (length !== "incomplete" && length > 0) return { from, to: from + length };
  }
  return undefined;
}

/** Pure: where the line after the one at `from` begins. */
function nextLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 ? bytes.length : end + 1;
}

/** Pure: how many bytes at the end could be the beginning of a mark. */
function partialIntro(bytes: Buffer): number {
  const tail = bytes.subarray(Math.max(0, bytes.length - INTRO.length + 1));
  const from = tail.lastIndexOf(0x1b);
  const partial = from < 0 ? NOTHING : tail.subarray(from);
  return INTRO.subarray(0, partial.length).equals(partial) ? partial.length : 0;
}
