/** What connects us to a program: a terminal or three pipes, behind one shape. */
import type { Stdio } from "../pty/spawn-program.ts";
import type { FdReader } from "./fd-reader.ts";
import type { FdWriter } from "./fd-writer.ts";
import type { OnOutput } from "./transport.ts";

export interface Wiring {
  readonly stdio: Stdio;
  /** The terminal's master, as long as it is open. */
  readonly master: number | undefined;
  /** The program's side of it, held open until the program has ended. */
  readonly slave: number | undefined;
  readonly writer: FdWriter;
  /** The program runs: begin to read. */
  start(onOutput: OnOutput, onEnd: () => void): readonly FdReader[];
  /** The program is gone and its output taken: let go of what was held open for it. */
  programEnded(): void;
  /** The program did not start: close everything. */
  abandon(): void;
  endInput(): void;
}
