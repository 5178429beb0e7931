/** The exit codes of commands. `docs/cli.md` has the same table. */
import { constants } from "node:os";
import type { Exit } from "../base/exit.ts";
import type { LimpetError, LimpetErrorCode } from "../base/limpet-error.ts";

export const OK = 0;
export const FAILED = 1;
/** A mistake in the command line. */
export const USAGE = 2;
const NO_SUCH_SESSION = 3;
/** The wait timed out. */
export const DEADLINE = 4;
/** The program has ended, so the request cannot be fulfilled. */
export const ENDED = 5;
/** A person holds the session, or has frozen it. */
const HELD = 6;
/** The host cannot be reached. */
const NO_HOST = 7;
/** The same as timeout(1): `run` exits with the codes of programs, so its own codes must not look like them. */
export const RUN_TIMED_OUT = 124;
/** Shells report 128 plus the number of the signal. */
export const SIGNAL_BASE = 128;

const CODES: Partial<Readonly<Record<LimpetErrorCode, number>>> = {
  BAD_OPTION: USAGE,
  BAD_PATTERN: USAGE,
  SESSION_NOT_FOUND: NO_SUCH_SESSION,
  NAME_AMBIGUOUS: USAGE,
  SESSION_ENDED: ENDED,
  SESSION_CLOSING: ENDED,
  INPUT_NOT_DELIVERED: ENDED,
  SESSION_HELD: HELD,
  SESSION_FROZEN: HELD,
  HOST_GONE: NO_HOST,
  HOST_MISMATCH: NO_HOST,
  HOST_START_FAILED: NO_HOST,
  PLACE_UNREACHABLE: NO_HOST,
  PLACE_ASKS: NO_HOST,
  PLACE_NO_NODE: NO_HOST,
  PLACE_UNSUPPORTED: NO_HOST,
  LINK_LOST: NO_HOST,
};

export function exitCodeOf({ code }: LimpetError): number {
  return CODES[code] ?? FAILED;
}

/** The value that `$?` has in a shell after the program. */
export function exitCodeOfProgram(exit: Exit): number {
  if (exit.kind === "code") return exit.code;
  return exit.kind === "signal" ? SIGNAL_BASE + (constants.signals[exit.signal as NodeJS.Signals] ?? 0) : FAILED;
}
