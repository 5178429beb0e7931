/** The connection to a program: a terminal or three pipes, behind one interface. */
import type { Stdio } from "../../pty/spawn-program.ts";
import type { UnreadInput } from "../../pty/typed-input.ts";
import type { OnOutput } from "../transport.ts";
import type { FdReader } from "./fd-reader.ts";
import type { FdWriter } from "./fd-writer.ts";

export interface Wiring {
  readonly stdio: Stdio;
  /** The terminal's master, while it is open. */
  readonly master: number | undefined;
  /** The program's side of the terminal, kept open until the program has ended. */
  readonly slave: number | undefined;
  readonly writer: FdWriter;
  /** Call when the program runs: starts reading. */
  start(onOutput: OnOutput, onEnd: () => void): readonly FdReader[];
  /** Call when the program has ended and its output was read: closes what was kept open for it. */
  programEnded(): void;
  /** Call if the program did not start: closes everything. */
  abandon(): void;
  endInput(): void;
  /** Input that the program has not read. */
  unreadInput(): UnreadInput;
}
