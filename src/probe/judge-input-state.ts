/**
 * Decides what a program waits for: a line, a password, a key or nothing. Pure: uses only what the kernel reports.
 *
 * | terminal mode    | the reader is blocked in                               | waits for  | certain            |
 * |------------------|--------------------------------------------------------|------------|--------------------|
 * | lines, echo      | `read`, in a process with one thread                   | a line     | at once            |
 * | lines, echo      | `poll`, `select` or `epoll` for the terminal alone     | a line     | when seen again    |
 * | lines, echo      | the same among other threads, own signals and timers   | a line     | after a short quiet |
 * | lines, echo      | a call that files, sockets or a short timer end, too   | nothing    | at once            |
 * | lines, no echo   | `read` on the terminal                                 | a password | at once            |
 * | lines, no echo   | any other wait for the terminal                        | a password | when seen again    |
 * | keys             | a wait for the terminal alone, in one thread           | a key      | when seen again    |
 * | any              | one of these behind a relay, such as `sudo`            | the same   | when seen again    |
 * | keys             | any other wait for the terminal                        | a key      | when quiet         |
 * | keys             | a wait of a client that passes keys on                 | unknown    | when quiet         |
 * | lines, no echo   | it belongs to another user                             | a password | when quiet         |
 * | any other        | it belongs to another user                             | unknown    | when quiet         |
 */
import type { BlockedIn } from "../linux/parse-syscall.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { TerminalObservation } from "./observe-terminal.ts";
import type { ReaderVerdict } from "./readers/find-reader.ts";

/** What a program waits for. `unknown`: the kernel does not show it, for example for another user's program. */
export type InputState = "line" | "password" | "key" | "none" | "unknown";

/** A process that is blocked in a call which terminal input would end. */
interface WaitingReader {
  readonly kind: "reader";
  readonly pid: number;
  /** The kernel's name for its program, at most 15 characters. */
  readonly name: string;
  readonly call: BlockedIn["call"];
  /** It reads an inner terminal, and another program passes on what is typed, as `sudo` does. */
  readonly isRelayed: boolean;
  /** It passes keys on to a program that this machine does not show, as `ssh` does. */
  readonly isFar: boolean;
  /** Not the main thread of its process reads, which may work meanwhile. */
  readonly isSideThread: boolean;
  /** Without input it goes on by itself, within two seconds. */
  readonly isTimed: boolean;
  /** It has other threads, or waits for other files than its own wake-ups. */
  readonly isConcurrent: boolean;
  /** Only of the client of a container: when its program, which may be on this machine, was last searched for. */
  readonly searchedMs?: number;
  readonly mode: TerminalMode;
}

/** The facts behind an input state. `between-commands`: a shell that limpet prepared reads its next command. */
export type InputBasis =
  | WaitingReader
  | { readonly kind: "asks-terminal"; readonly pid: number }
  /** The program belongs to another user, or /proc is not readable. */
  | { readonly kind: "hidden"; readonly mode: TerminalMode }
  | {
      readonly kind:
        | "no-probe"
        | "no-terminal"
        | "terminal-gone"
        | "nobody"
        | "moved"
        | "arriving"
        | "unsure"
        | "input-queued"
        | "between-commands";
    };

/**
 * When a verdict can be believed. `once`: it is certain. `twice`: when a second observation finds that the same thread
 * has not run and nothing was printed in between. `arrived`: its output may still be on the way, so after a short
 * silence. `quiet`: the program may work while it waits, so what it shows and how long it has been silent decide.
 */
export type Certainty = "once" | "twice" | "arrived" | "quiet";

export interface InputVerdict {
  readonly state: InputState;
  readonly certainty: Certainty;
  readonly basis: InputBasis;
  /** Equal in two observations if the same thread has not run in between. */
  readonly fingerprint: string;
}

/** A program with a timer that is due sooner than this does something by itself. Node has longer ones of its own. */
const OWN_TIMER_MS = 2_000;

/** `undefined`: there is no terminal to observe. */
export function judgeInputState(observation: TerminalObservation | undefined): InputVerdict {
  if (!observation) return judgeUnobserved("no-terminal");
  const { mode, reader, hasUnreadInput } = observation;
  if (!mode) return judgeUnobserved("terminal-gone");
  if (observation.isArriving) return judgeUnobserved("arriving");
  if (reader === "unknown") return judgeHidden(mode);
  if (reader === "none" || hasUnreadInput) return judgeUnobserved("nobody");
  const { pid, name, call, runs, relay } = reader;
  const isFar = reader.isFar === true;
  const isSideThread = reader.thread !== undefined && reader.thread !== pid;
  const isRelayed = relay !== undefined;
  const isTimed = reader.timeoutMs !== undefined && reader.timeoutMs <= OWN_TIMER_MS;
  const isConcurrent = reader.threads > 1 || reader.others.some((kind) => kind !== "wake-up");
  const ways = { isRelayed, isFar, isSideThread, isTimed, isConcurrent };
  const searched = reader.searchedMs === undefined ? {} : { searchedMs: reader.searchedMs };
  const basis: WaitingReader = { kind: "reader", pid, name, call, ...ways, ...searched, mode };
  const passesOn = isFar && (!mode.isCanonical || reader.others.length > 0);
  const { state, certainty } = passesOn ? FAR : judgeReader(reader, mode, observation.readsInSteps === true);
  if (state === "none") return { state, certainty, basis, fingerprint: "" };
  return { state, certainty: behindRelay(certainty, reader), basis, fingerprint: `${pid} ${runs} ${relay ?? ""}` };
}

/** What the program printed may still be on its way through whoever passes it on. */
function behindRelay(certainty: Certainty, { relay, isContained = false }: Reader): Certainty {
  if (certainty === "quiet" || relay === undefined) return certainty;
  return isContained ? "arrived" : "twice";
}

type Judged = Pick<InputVerdict, "state" | "certainty">;

const FAR: Judged = { state: "unknown", certainty: "quiet" };

function judgeReader(reader: Reader, mode: TerminalMode, readsInSteps: boolean): Judged {
  const isSure = isAlone(reader);
  if (!mode.isCanonical) return { state: "key", certainty: isSure && !readsInSteps ? "twice" : "quiet" };
  const certainty = reader.call === "read" ? "once" : "twice";
  if (!mode.isEchoing) return { state: "password", certainty: reader.threads === 1 ? certainty : "quiet" };
  if (isSure) return { state: "line", certainty };
  return mayWaitForLine(reader) ? { state: "line", certainty: "quiet" } : { state: "none", certainty: "once" };
}

/** The kernel does not show what the program waits in, but the mode of the terminal. */
function judgeHidden(mode: TerminalMode): InputVerdict {
  const state = mode.isCanonical && !mode.isEchoing ? "password" : "unknown";
  return { state, certainty: "quiet", basis: { kind: "hidden", mode }, fingerprint: "" };
}

type Reader = Exclude<ReaderVerdict, string>;

/** Only the terminal can end its call, and no other thread can work meanwhile. */
function isAlone({ threads, others, timeoutMs }: Reader): boolean {
  return threads === 1 && others.length === 0 && timeoutMs === undefined;
}

/** Apart from the terminal it waits for its own signals, threads and distant timers only. */
function mayWaitForLine({ others, timeoutMs = Number.POSITIVE_INFINITY }: Reader): boolean {
  return timeoutMs >= OWN_TIMER_MS && others.every((kind) => kind === "wake-up");
}

/** The verdict about a program that may read the answer of its terminal, not a key, if nobody answers. */
export function judgeQuery(verdict: InputVerdict, state: "key" | "unknown"): InputVerdict {
  const { basis } = verdict;
  if (basis.kind !== "reader") return verdict;
  return { ...verdict, state, certainty: "quiet", basis: { kind: "asks-terminal", pid: basis.pid } };
}

/** The verdict if no reader was observed, for the reason `kind`. */
export function judgeUnobserved(
  kind: Exclude<InputBasis["kind"], "reader" | "asks-terminal" | "hidden">,
): InputVerdict {
  const isUnknown = kind === "no-probe" || kind === "no-terminal" || kind === "unsure";
  return { state: isUnknown ? "unknown" : "none", certainty: "once", basis: { kind }, fingerprint: "" };
}
