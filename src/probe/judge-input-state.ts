/**
 * Decides what a program waits for: a line, a password, a key or nothing. Pure: uses only what the kernel reports.
 *
 * | terminal mode          | foreground process is blocked in  | waits for |
 * |------------------------|-----------------------------------|-----------|
 * | lines, echo            | `read` on the terminal            | a line    |
 * | lines, no echo         | any wait for the terminal         | a password |
 * | keys (not canonical)   | any wait for the terminal         | a key     |
 * | lines, echo            | `poll`, `select`, `epoll`, other  | nothing: a server, a timer, a computation |
 */
import type { BlockedIn } from "../linux/parse-syscall.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { TerminalObservation } from "./observe-terminal.ts";

/** What a program waits for. `unknown`: the kernel does not show it, for example for another user's program. */
export type InputState = "line" | "password" | "key" | "none" | "unknown";

/** A process that is blocked in a call which terminal input would end. */
interface WaitingReader {
  readonly kind: "reader";
  readonly pid: number;
  readonly call: BlockedIn["call"];
  /** It reads an inner terminal, and another program passes on what is typed, as `sudo` does. */
  readonly isRelayed: boolean;
  readonly mode: TerminalMode;
}

/** The facts behind an input state. `between-commands`: a shell that limpet prepared reads its next command. */
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
   * False: the program reads keys and may only be between two of its own steps. The verdict becomes certain when a
   * second observation finds that the same thread has not run and nothing was printed in between.
   */
  readonly isCertain: boolean;
  readonly basis: InputBasis;
  /** Equal in two observations if the same thread has not run in between. */
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

/** The verdict if no reader was observed, for the reason `kind`. */
export function judgeUnobserved(kind: Exclude<InputBasis["kind"], "reader">): InputVerdict {
  const isUnknown = kind === "no-probe" || kind === "no-terminal" || kind === "hidden";
  return { state: isUnknown ? "unknown" : "none", isCertain: true, basis: { kind }, fingerprint: "" };
}
