/**
 * Reads the messages of an engine's client from its stderr, which is not the terminal of the program. They are
 * delivered as output, except for a message that limpet handles itself.
 */
import { closeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { libc } from "../../linux/libc.ts";
import { openPipe } from "../../pty/open-pipes.ts";
import { FdReader } from "../local/fd-reader.ts";

const O_NONBLOCK = 0o4000;
const F_SETFL = 4;
/** Docker prints this if the program has not started within a fraction of a second. limpet sets the size itself. */
const NOT_RESIZED = /^failed to resize tty, using default size\s*$/;
/** A longer line is delivered in parts. */
const MAX_LINE = 4_096;

interface ClientWordsParts {
  /** Called with whole lines, with CR LF as from a terminal. */
  readonly deliver: (bytes: Uint8Array) => void;
  /** Called if the client could not set the size of the terminal. */
  readonly onNotResized: () => void;
}

export class ClientWords {
  /** The descriptor for the client's stderr. */
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

  /** Call when the client runs or failed to start. */
  started(): void {
    closeSync(this.theirs);
  }

  /** Call when the client has ended. Delivers the rest. */
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
