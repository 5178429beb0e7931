/** What the exit code of a command means. `docs/cli.md` has the same table. */
import { constants } from "node:os";
import type { Exit } from "../base/exit.ts";
import type { LimpetError, LimpetErrorCode } from "../base/limpet-error.ts";

export const OK = 0;
export const FAILED = 1;
/** The command line cannot be understood, or asks for something that makes no sense. */
export const USAGE = 2;
const NO_SUCH_SESSION = 3;
/** What was waited for did not come in time. */
export const DEADLINE = 4;
/** The program has ended, so what was asked for cannot happen any more. */
export const ENDED = 5;
/** A person holds the session. */
const HELD = 6;
/** The host cannot be reached, or has gone. */
const NO_HOST = 7;
/** As `timeout` has it: `run` gives the codes of programs, so its own must not look like one of these. */
export const RUN_TIMED_OUT = 124;
/** As shells have it: ended by a signal of this number. */
export const SIGNAL_BASE = 128;

const CODES: Partial<Readonly<Record<LimpetErrorCode, number>>> = {
  BAD_OPTION: USAGE,
  BAD_PATTERN: USAGE,
  SESSION_NOT_FOUND: NO_SUCH_SESSION,
  SESSION_ENDED: ENDED,
  SESSION_CLOSING: ENDED,
  INPUT_NOT_DELIVERED: ENDED,
  SESSION_HELD: HELD,
  HOST_GONE: NO_HOST,
  HOST_MISMATCH: NO_HOST,
  HOST_START_FAILED: NO_HOST,
};

export function exitCodeOf({ code }: LimpetError): number {
  return CODES[code] ?? FAILED;
}

/** What a shell has in `$?` after the program. */
export function exitCodeOfProgram(exit: Exit): number {
  if (exit.kind === "code") return exit.code;
  return exit.kind === "signal" ? SIGNAL_BASE + (constants.signals[exit.signal as NodeJS.Signals] ?? 0) : FAILED;
}
