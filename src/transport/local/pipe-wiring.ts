/**
 * The pipes of a program without a terminal: stdin stays open until it is closed explicitly, stdout and stderr are
 * separate.
 */
import { closeSync } from "node:fs";
import { openPipes, type Pipes } from "../../pty/open-pipes.ts";
import type { Stdio } from "../../pty/spawn-program.ts";
import { type UnreadInput, unreadInPipe } from "../../pty/typed-input.ts";
import type { OnOutput } from "../transport.ts";
import { FdReader } from "./fd-reader.ts";
import { FdWriter } from "./fd-writer.ts";
import type { Wiring } from "./wiring.ts";

export class PipeWiring implements Wiring {
  readonly stdio: Stdio;
  readonly master: undefined;
  readonly slave: undefined;
  readonly writer: FdWriter;
  readonly #pipes: Pipes;
  #isInputOpen = true;
  #areTheirsOpen = true;

  constructor() {
    this.#pipes = openPipes();
    this.stdio = { kind: "pipes", ...this.#pipes.theirs };
    this.writer = new FdWriter(this.#pipes.ours.stdin);
  }

  start(onOutput: OnOutput, onEnd: () => void): readonly FdReader[] {
    // If this process kept the program's ends open, the pipes would never end.
    this.#closeTheirs();
    let open = 2;
    const read = (origin: "stdout" | "stderr") =>
      new FdReader({
        fd: this.#pipes.ours[origin],
        kind: "pipe",
        onChunk: (bytes) => onOutput(bytes, origin),
        onEnd: () => {
          open -= 1;
          if (open === 0) onEnd();
        },
      });
    return [read("stdout"), read("stderr")];
  }

  programEnded(): void {
    this.endInput();
  }

  abandon(): void {
    this.endInput();
    const { stdin: _closed, ...outputs } = this.#pipes.ours;
    this.#closeTheirs();
    for (const fd of Object.values(outputs)) closeSync(fd);
  }

  endInput(): void {
    if (!this.#isInputOpen) return;
    this.#isInputOpen = false;
    this.writer.end();
    closeSync(this.#pipes.ours.stdin);
  }

  unreadInput(): UnreadInput {
    return this.#isInputOpen ? unreadInPipe(this.#pipes.ours.stdin) : { bytes: 0, isExact: true };
  }

  #closeTheirs(): void {
    if (!this.#areTheirsOpen) return;
    this.#areTheirsOpen = false;
    for (const fd of Object.values(this.#pipes.theirs)) closeSync(fd);
  }
}
