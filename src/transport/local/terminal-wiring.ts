/** The terminal of a program: one stream for both directions. */

import { closeSync } from "node:fs";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { openPty, type Pty, resizePty } from "../../pty/open-pty.ts";
import type { Stdio } from "../../pty/spawn-program.ts";
import { type UnreadInput, unreadInTerminal } from "../../pty/typed-input.ts";
import type { OnOutput } from "../transport.ts";
import { FdReader } from "./fd-reader.ts";
import { FdWriter } from "./fd-writer.ts";
import type { Wiring } from "./wiring.ts";

const NOTHING: UnreadInput = { bytes: 0, isExact: true };

export class TerminalWiring implements Wiring {
  readonly stdio: Stdio;
  readonly writer: FdWriter;
  #master: number | undefined;
  #slave: number | undefined;

  /** Uses the given terminal, or opens one. */
  constructor(size: TerminalSize, given?: Pty) {
    const { master, slave, path } = given ?? openPty(size);
    if (given) resizePty(master, size);
    this.#master = master;
    this.#slave = slave;
    this.stdio = { kind: "terminal", path };
    this.writer = new FdWriter(master);
  }

  get master(): number | undefined {
    return this.#master;
  }

  get slave(): number | undefined {
    return this.#slave;
  }

  start(onOutput: OnOutput, onEnd: () => void): readonly FdReader[] {
    const fd = this.#master ?? -1;
    const reader = new FdReader({
      fd,
      kind: "terminal",
      onChunk: (bytes) => onOutput(bytes, "terminal"),
      onEnd: () => {
        this.#master = undefined;
        this.writer.end();
        onEnd();
      },
    });
    return [reader];
  }

  programEnded(): void {
    if (this.#slave !== undefined) closeSync(this.#slave);
    this.#slave = undefined;
  }

  abandon(): void {
    this.programEnded();
    if (this.#master !== undefined) closeSync(this.#master);
    this.#master = undefined;
  }

  endInput(): void {}

  unreadInput(): UnreadInput {
    return this.#slave === undefined ? NOTHING : unreadInTerminal(this.#slave);
  }
}
