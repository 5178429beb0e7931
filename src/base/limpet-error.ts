/** All error codes as values: a test compares them with `docs/errors.md`. */
export const ERROR_CODES = [
  "BAD_OPTION",
  "BAD_CONFIG",
  "BAD_POLICY",
  "BAD_PATTERN",
  "PROGRAM_NOT_FOUND",
  "PROGRAM_NOT_EXECUTABLE",
  "DIRECTORY_NOT_FOUND",
  "NUL_BYTE",
  "SPAWN_FAILED",
  "RESOURCE_EXHAUSTED",
  "PLATFORM_UNSUPPORTED",
  "SANDBOX_UNAVAILABLE",
  "POLICY_DENIED",
  "APPROVAL_NEEDED",
  "APPROVAL_NOT_FOUND",
  "APPROVAL_REFUSED",
  "LIMIT_UNAVAILABLE",
  "AUDIT_UNAVAILABLE",
  "INPUT_BACKLOG",
  "INPUT_NOT_DELIVERED",
  "INPUT_DISCARDED",
  "INPUT_CLOSED",
  "LINE_TOO_LONG",
  "PROMPT_CHANGED",
  "SECRET_NOT_FOUND",
  "SECRET_UNAVAILABLE",
  "BAD_SECRET",
  "SESSION_NOT_FOUND",
  "SESSION_ENDED",
  "SESSION_CLOSING",
  "SESSION_HELD",
  "SESSION_FROZEN",
  "SESSION_LIMIT",
  "NOTHING_TO_WAIT_FOR",
  "NAME_TAKEN",
  "NAME_AMBIGUOUS",
  "NO_TERMINAL",
  "NO_PROBE",
  "CANNOT_RECORD",
  "BAD_RECORDING",
  "HOST_GONE",
  "HOST_MISMATCH",
  "HOST_RUNNING",
  "HOST_START_FAILED",
  "HOST_NOT_RESPONDING",
  "CLIENT_CLOSED",
  "PLACE_UNREACHABLE",
  "PLACE_ASKS",
  "PLACE_NO_NODE",
  "PLACE_UNSUPPORTED",
  "LINK_LOST",
  "FLEET_UNREACHABLE",
  "FLEET_REFUSED",
  "FLEET_FULL",
  "FILE_FAILED",
  "DIRECTORY_UNSAFE",
  "MOUSE_OFF",
  "SHELL_UNKNOWN",
  "SHELL_NOT_READY",
  "SHELL_BUSY",
  "SHELL_IDLE",
  "PICTURE_UNAVAILABLE",
  "BAD_REQUEST",
  "NOT_SIGNED_IN",
  "NOT_ALLOWED",
  "NOT_FOUND",
  "TOO_MANY_REQUESTS",
  "SERVER_FAILED",
  "WEB_START_FAILED",
  "WEB_RUNNING",
  "WEB_NOT_RUNNING",
  "TOKEN_NOT_FOUND",
] as const;

/** What went wrong, to branch on. `docs/errors.md` has the cause and remedy of each code. */
export type LimpetErrorCode = (typeof ERROR_CODES)[number];

interface LimpetErrorOptions {
  readonly cause?: unknown;
  /** Input bytes of the failed call that the program never got. */
  readonly undeliveredBytes?: number | undefined;
  /** The id that the session would have got. */
  readonly sessionId?: number | undefined;
}

/**
 * A mistake, a refusal or a breakage; never an ordinary outcome such as a non-zero exit.
 * The message has two sentences: what failed, with the value, and what to do next.
 */
export class LimpetError extends Error {
  override readonly name: string = "LimpetError";
  /** What to branch on: messages may be reworded, codes stay. */
  readonly code: LimpetErrorCode;
  /** Input bytes of the failed call that the program never got; undefined if the call was not a write. */
  readonly undeliveredBytes: number | undefined;
  /** The id that a session would have got that could not be started; undefined for other errors. */
  readonly sessionId: number | undefined;

  constructor(code: LimpetErrorCode, message: string, options: LimpetErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.undeliveredBytes = options.undeliveredBytes;
    this.sessionId = options.sessionId;
  }
}
