/**
 * Decides what a program waits for: a line, a password, a key or nothing. Pure: uses only what the kernel reports.
 *
 * | terminal mode          | foreground process is in          | waits for |
 * |------------------------|-----------------------------------|-----------|
 * | lines, echo            | `read` on the terminal            | a line    |
 * | lines, no echo         | any wait for the terminal         | a password |
 * | keys (not canonical)   | any wait for the terminal         | a key     |
 * | lines, echo            | `poll`, `select`, `epoll`, other  | nothing: a server, a timer, a computation |
 */
import type { BlockedIn } from "../linux/parse-syscall.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { TerminalObservation } from "./observe-terminal.ts";

/** What a program waits for. `unknown`: the kernel does not say, for instance of another user's program. */
export type InputState = "line" | "password" | "key" | "none" | "unknown";

/** A process that is blocked in a call which the terminal's input would end. */
interface WaitingReader {
  readonly kind: "reader";
  readonly pid: number;
  readonly call: BlockedIn["call"];
  /** It reads a terminal of its own, and another program passes on what is typed, as `sudo` does. */
  readonly isRelayed: boolean;
  readonly mode: TerminalMode;
}

/** What an input state was judged by. `between-commands`: a prepared shell reads, and asks nobody anything. */
export type InputBasis =
  | WaitingReader
  | {
      readonly kind:
        | "no-probe"
        | "no-terminal"
        | "terminal-gone"
        | "hidden"
        | "nobody"
        | "moved"
        | "input-queued"
        | "between-commands";
    };

export interface InputVerdict {
  readonly state: InputState;
  /**
   * True: no doubt is left. False: the program reads keys, and may only be between two steps of its own; it becomes certain when
   * a second observation finds the same thread, not having run, and no output between.
   */
  readonly isCertain: boolean;
  readonly basis: InputBasis;
  /** The same in two observations: the same thread has not run in between. */
  readonly fingerprint: string;
}

/** `undefined`: there is no terminal to observe. */
export function judgeInputState(observation: TerminalObservation | undefined): InputVerdict {
  if (!observation) return judgeUnobserved("no-terminal");
  const { mode, reader, hasUnreadInput } = observation;
  if (!mode) return judgeUnobserved("terminal-gone");
  if (reader === "unknown") return judgeUnobserved("hidden");
  if (reader === "none" || hasUnreadInput) return judgeUnobserved("nobody");
  const { pid, call, runs, relay } = reader;
  const basis: WaitingReader = { kind: "reader", pid, call, isRelayed: relay !== undefined, mode };
  const seen = { basis, fingerprint: `${pid} ${runs} ${relay ?? ""}` };
  if (!mode.isCanonical) return { state: "key", isCertain: false, ...seen };
  const isCertain = call === "read";
  if (!mode.isEchoing) return { state: "password", isCertain, ...seen };
  return { state: isCertain ? "line" : "none", isCertain: true, basis, fingerprint: isCertain ? seen.fingerprint : "" };
}

/** The verdict where no reader was observed, for the reason in `kind`. */
export function judgeUnobserved(kind: Exclude<InputBasis["kind"], "reader">): InputVerdict {
  const isUnknown = kind === "no-probe" || kind === "no-terminal" || kind === "hidden";
  return { state: isUnknown ? "unknown" : "none", isCertain: true, basis: { kind }, fingerprint: "" };
}
