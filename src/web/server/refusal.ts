/** Why a request is not served, and how the answer says so. Pure. */

import { LimpetError, type LimpetErrorCode } from "../../base/limpet-error.ts";
import { MAX_VISITOR_STREAMS } from "../../base/web-limits.ts";

export interface Refusal {
  readonly status: number;
  readonly code: LimpetErrorCode;
  /** Two sentences: what is wrong, and what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const STATUS: Partial<Readonly<Record<LimpetErrorCode, number>>> = {
  NOT_SIGNED_IN: 401,
  NOT_ALLOWED: 403,
  POLICY_DENIED: 403,
  APPROVAL_REFUSED: 403,
  NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  SECRET_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  SESSION_ENDED: 409,
  SESSION_CLOSING: 409,
  SESSION_HELD: 409,
  SESSION_FROZEN: 409,
  PROMPT_CHANGED: 409,
  NAME_TAKEN: 409,
  NAME_AMBIGUOUS: 409,
  SHELL_BUSY: 409,
  INPUT_BACKLOG: 429,
  TOO_MANY_REQUESTS: 429,
  SESSION_LIMIT: 429,
  BAD_CONFIG: 500,
  RESOURCE_EXHAUSTED: 503,
  PICTURE_UNAVAILABLE: 503,
  HOST_GONE: 503,
  HOST_MISMATCH: 503,
  HOST_START_FAILED: 503,
  HOST_NOT_RESPONDING: 503,
  PLACE_UNREACHABLE: 503,
  PLACE_ASKS: 503,
  PLACE_NO_NODE: 503,
  LINK_LOST: 503,
};

/** The answer to a request that failed. Any other error is a bug in limpet; its answer has no details. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof LimpetError) {
    return { status: STATUS[error.code] ?? 400, code: error.code, message: error.message };
  }
  return { status: 500, code: "SERVER_FAILED", message: "The web server failed. Its log, web.log, has the details." };
}

export function badRequest(message: string, status = 400): Refusal {
  return { status, code: "BAD_REQUEST", message };
}

export function notAllowed(message: string): Refusal {
  return { status: 403, code: "NOT_ALLOWED", message };
}

export const NOT_A_PATH: Refusal = badRequest("The request target is not a path. Send one such as /api/me.");

export const TOO_MANY_STREAMS: Refusal = {
  status: 429,
  code: "TOO_MANY_REQUESTS",
  message: `You have ${MAX_VISITOR_STREAMS} open streams. Close a page, then try again.`,
};

export function notFound(): Refusal {
  return { status: 404, code: "NOT_FOUND", message: "There is nothing at this path. Begin at /." };
}

export function otherMethod(allow: readonly string[]): Refusal {
  const methods = allow.join(", ");
  return { ...badRequest(`This path takes ${methods}. Use that method.`, 405), headers: { allow: methods } };
}

/** Reports bugs in limpet. `path` may contain the name of a session, but no secret. */
export function noteFault(error: unknown, path: string | undefined, onProblem: (text: string) => void): void {
  if (error instanceof LimpetError) return;
  const { cause } = error instanceof Error ? error : {};
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  onProblem(`${path}: ${error instanceof Error ? error.stack : String(error)}${why}`);
}
