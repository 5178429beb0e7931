/**
 * The marks at the start and end of a command: control sequences with a private number, which no terminal shows.
 *
 *   start   ESC ] 6973 ; s ; NONCE BEL LF
 *   end     ESC ] 6973 ; e ; NONCE ; STATUS ; RAN ; FLAGS ; DIRECTORY ; TAIL BEL LF
 *   prompt  ESC ] 6973 ; p ; NONCE BEL
 *
 * Each command has a nonce of 128 random bits. A sequence with any other nonce is plain output. The directory is not
 * escaped and may contain any bytes; the tail ends it, which is the same nonce or another. The line feed shows whether
 * the terminal adds a carriage return. It comes last, so that a shell with line buffering writes the whole mark at
 * once. It is missing if someone else printed just then.
 */
import { randomBytes } from "node:crypto";

export const NONCE_LENGTH = 32;
export const MARK_INTRO = "\x1b]6973;";

export function newNonce(): string {
  return randomBytes(NONCE_LENGTH / 2).toString("hex");
}

/** A mark that was found in the output. */
export type Mark =
  | { readonly kind: "start" }
  /** Undefined: it is malformed, so somebody else printed at least part of it. */
  | { readonly kind: "end"; readonly end: EndMark | undefined }
  | { readonly kind: "prompt" };

export interface EndMark {
  /** The exit code as the shell reports it; null if it is missing. */
  readonly status: number | null;
  /** The shell has run the command: it did more than answer a query. */
  readonly hasRun: boolean;
  /** What the dialect needs for the next command. */
  readonly flags: string;
  readonly cwd: string;
}

/** Pure: parses what follows the first nonce of an end mark; undefined if it does not have that form. */
export function parseEnd(body: Buffer): EndMark | undefined {
  // Directory names may contain any bytes; latin1 keeps each of them until the fields are found.
  const text = body.toString("latin1");
  const fields = /^;(\d*);(r?);([^;\n]*);(.*);[0-9a-f]{32}\x07(\r?)\n?$/s.exec(text);
  if (!fields) return undefined;
  const [, status = "", ran, flags = "", raw = "", carriageReturn] = fields;
  const cwd = carriageReturn === "\r" ? raw.replaceAll("\r\n", "\n") : raw;
  return {
    status: status === "" ? null : Number(status),
    hasRun: ran === "r",
    flags,
    cwd: Buffer.from(cwd, "latin1").toString("utf8"),
  };
}
