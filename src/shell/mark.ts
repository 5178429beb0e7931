/**
 * The marks that tell where a command begins and ends: control sequences of our own number, which no terminal shows.
 *
 *   start   ESC ] 6973 ; s ; NONCE BEL
 *   end     ESC ] 6973 ; e ; NONCE ; STATUS ; FLAGS ; DIRECTORY ; NONCE BEL LF
 *   prompt  ESC ] 6973 ; p ; NONCE BEL
 *
 * A nonce of 128 random bits is made for each command. A sequence with any other is plain output. The directory comes
 * as it is, whatever bytes are in its name; the nonce after it ends it. The line feed shows what the terminal makes of one;
 * at the very end, where a shell that writes line by line writes the whole mark at once.
 */
import { randomBytes } from "node:crypto";

export const NONCE_LENGTH = 32;
export const MARK_INTRO = "\x1b]6973;";

export function newNonce(): string {
  return randomBytes(NONCE_LENGTH / 2).toString("hex");
}

/** A mark as it was found in the output. */
export type Mark =
  | { readonly kind: "start" }
  | { readonly kind: "end"; readonly end: EndMark }
  | { readonly kind: "prompt" };

export interface EndMark {
  /** As the shell said it. */
  readonly status: number | null;
  /** What the dialect wants to know again at the next command. */
  readonly flags: string;
  readonly cwd: string;
}

/** Pure: what follows the first nonce of an end mark; undefined where it does not have that form. */
export function parseEnd(body: Buffer): EndMark | undefined {
  // Names of directories may be any bytes; latin1 keeps each of them until the place of the fields is known.
  const text = body.toString("latin1");
  const fields = /^;(\d*);([^;\n]*);(.*);[0-9a-f]{32}\x07(\r?)\n?$/s.exec(text);
  if (!fields) return undefined;
  const [, status = "", flags = "", raw = "", carriageReturn] = fields;
  const cwd = carriageReturn === "\r" ? raw.replaceAll("\r\n", "\n") : raw;
  return {
    status: status === "" ? null : Number(status),
    flags,
    cwd: Buffer.from(cwd, "latin1").toString("utf8"),
  };
}
