/**
 * What the client of an engine says on its own behalf: on its stderr, which is not the terminal of the program. It is
 * output, unless limpet knows better.
 */
import { closeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { libc } from "../../linux/libc.ts";
import { openPipe } from "../../pty/open-pipes.ts";
import { FdReader } from "../local/fd-reader.ts";

const O_NONBLOCK = 0o4000;
const F_SETFL = 4;
/** Docker gives up after a fraction of a second in which the program has not started. limpet sets the size itself. */
const NOT_RESIZED = /^failed to resize tty, using default size\s*$/;
/** A line that does not end. */
const MAX_LINE = 4_096;

interface ClientWordsParts {
  /** Whole lines, as a terminal would print them. */
  readonly deliver: (bytes: Uint8Array) => void;
  /** The client could not tell the engine how large the terminal is. */
  readonly onNotResized: () => void;
}

export class ClientWords {
  /** What the client gets as its stderr. */
  readonly theirs: number;
  readonly #parts: ClientWordsParts;
  readonly #reader: FdReader;
  readonly #decoder = new StringDecoder();
  #line = "";

  constructor(parts: ClientWordsParts) {
    this.#parts = parts;
    const [ours, theirs] = openPipe();
    libc.fcntl(ours, F_SETFL, O_NONBLOCK);
    this.theirs = theirs;
    this.#reader = new FdReader({
      fd: ours,
      kind: "pipe",
      onChunk: (bytes) => this.#take(this.#decoder.write(Buffer.from(bytes))),
      onEnd: () => undefined,
    });
  }

  /** Call when the client runs, or did not start. */
  started(): void {
    closeSync(this.theirs);
  }

  /** Call when the client has ended: delivers the rest. */
  end(): void {
    this.#reader.drain();
    this.#reader.close();
    if (this.#line !== "") this.#pass(this.#line);
    this.#line = "";
  }

  #take(text: string): void {
    const lines = `${this.#line}${text}`.split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#pass(`${line}\n`);
    if (this.#line.length < MAX_LINE) return;
    this.#pass(this.#line);
    this.#line = "";
  }

  #pass(line: string): void {
    if (NOT_RESIZED.test(line)) this.#parts.onNotResized();
    else this.#parts.deliver(Buffer.from(line.replace(/\r?\n$/, "\r\n")));
  }
}
