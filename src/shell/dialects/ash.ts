/**
 * The ash of busybox: like dash, but it edits lines itself. Echo could be switched off for it, and it would read plain lines; but then
 * it takes the end of any background job for the end of its input, and exits. So it gets short lines of
 * printable characters, and what it shows of them is dropped.
 */
import { printableQuote } from "../literal.ts";
import type { Dialect } from "./dialect.ts";
import { posix, posixFrame } from "./posix.ts";

export const ash: Dialect = {
  ...posix,
  names: ["ash", "busybox"],
  // It is built for 1,024.
  editsLinesOf: 900,
  hasHooks: () => true,
  frame: posixFrame(printableQuote),
};
