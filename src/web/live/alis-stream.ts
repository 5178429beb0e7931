/**
 * A live stream as asciinema's player reads it: ALiS, version 1. Each method returns one binary message. Numbers are
 * unsigned LEB128, times are microseconds since the message before, and texts are UTF-8 after their length. Pure except
 * for the clock.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";

/** As the player names it when it connects. */
export const ALIS_PROTOCOL = "v1.alis";
/** The first message of a stream. */
export const ALIS_MAGIC: Uint8Array = Buffer.from("ALiS\x01", "latin1");

const INIT = 0x01;
const END = 0x04;
const OUTPUT = 0x6f;
const RESIZE = 0x72;
const EXIT = 0x78;
/** The viewer's own colours. */
const NO_THEME = 0x00;

export class AlisStream {
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #lastMs: number;
  #count = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
    this.#lastMs = this.#startedMs;
  }

  /** A terminal of this size that has been given this text. Starts the stream, or starts it over. */
  init({ cols, rows }: TerminalSize, drawn: string): Uint8Array {
    this.#sinceLast();
    const sinceStart = micros(this.#lastMs - this.#startedMs);
    return message(INIT, number(this.#count), sinceStart, number(cols), number(rows), [NO_THEME], text(drawn));
  }

  output(written: string): Uint8Array {
    return message(OUTPUT, this.#id(), this.#sinceLast(), text(written));
  }

  resize({ cols, rows }: TerminalSize): Uint8Array {
    return message(RESIZE, this.#id(), this.#sinceLast(), number(cols), number(rows));
  }

  /** The program has ended. */
  exit(status: number): Uint8Array {
    return message(EXIT, this.#id(), this.#sinceLast(), number(status));
  }

  /** Nothing more follows. */
  end(): Uint8Array {
    return message(END, this.#sinceLast());
  }

  #id(): readonly number[] {
    this.#count += 1;
    return number(this.#count);
  }

  #sinceLast(): readonly number[] {
    const nowMs = this.#nowMs();
    const since = micros(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    return since;
  }
}

function message(type: number, ...parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array {
  return Buffer.concat([Buffer.of(type), ...parts.map((part) => Buffer.from(part as Uint8Array))]);
}

function micros(ms: number): readonly number[] {
  return number(Math.max(0, Math.round(ms * 1_000)));
}

/** Seven bits per byte, the lowest first; the highest bit says that another byte follows. */
function number(value: number): readonly number[] {
  const bytes: number[] = [];
  let left = value;
  // Division: a stream of an hour has more microseconds than 32 bits.
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80);
  return [...bytes, left];
}

function text(value: string): Uint8Array {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([Buffer.from(number(bytes.length)), bytes]);
}
