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
  /** It reads an inner terminal, and a relay such as `sudo` passes on what is typed. */
  readonly isRelayed: boolean;
  /** It passes keys on to a program that is not visible on this machine, as `ssh` does. */
  readonly isFar: boolean;
  /** Another thread than the main thread reads. The main thread may work meanwhile. */
  readonly isSideThread: boolean;
  /** Its call has a timeout of at most two seconds, so it continues without input. */
  readonly isTimed: boolean;
  /** It has other threads, or also waits for files other than its own wake-ups. */
  readonly isConcurrent: boolean;
  /** Only for the client of a container: when limpet last searched for its program, which may be on this machine. */
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
 * When a verdict can be trusted. `once`: at once. `twice`: when a second observation finds that the same thread has not
 * run and nothing was printed in between. `arrived`: after a short silence, because output may still be in transit.
 * `quiet`: the program may work while it waits, so its output and the length of its silence decide.
 */
export type Certainty = "once" | "twice" | "arrived" | "quiet";

export interface InputVerdict {
  readonly state: InputState;
  readonly certainty: Certainty;
  readonly basis: InputBasis;
  /** Equal in two observations if the same thread has not run in between. */
  readonly fingerprint: string;
}

/** A program with a timer that is due sooner than this counts as working. Node itself has longer timers. */
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

/** The output of the program may still be in the relay. */
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

/** The verdict if the kernel shows only the mode of the terminal, not the call of the program. */
function judgeHidden(mode: TerminalMode): InputVerdict {
  const state = mode.isCanonical && !mode.isEchoing ? "password" : "unknown";
  return { state, certainty: "quiet", basis: { kind: "hidden", mode }, fingerprint: "" };
}

type Reader = Exclude<ReaderVerdict, string>;

/** Only the terminal can end its call, and no other thread can work meanwhile. */
function isAlone({ threads, others, timeoutMs }: Reader): boolean {
  return threads === 1 && others.length === 0 && timeoutMs === undefined;
}

/** Apart from the terminal, it waits only for its own signals and threads, and for timers that are not due soon. */
function mayWaitForLine({ others, timeoutMs = Number.POSITIVE_INFINITY }: Reader): boolean {
  return timeoutMs >= OWN_TIMER_MS && others.every((kind) => kind === "wake-up");
}

/**
 * The verdict about a program that may be waiting for an answer of its terminal instead of a key, if nobody answers.
 */
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
