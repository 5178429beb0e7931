/**
 * The ash of busybox: like dash, but it edits lines itself, unless echo is off when it begins to read. So echo is off from the
 * end of a command until the next has begun; at both places the shell waits for an empty line, typed once that is so.
 */
import { dollarQuote } from "../literal.ts";
import type { Dialect } from "./dialect.ts";
import { posix, posixFrame } from "./posix.ts";

export const ash: Dialect = {
  ...posix,
  names: ["ash", "busybox"],
  editsLines: true,
  // Thrown back by Ctrl+C it does edit; then a line must have nothing but printable characters.
  frame: posixFrame({ afterMark: ";\\read -r _ </dev/tty", quoteControls: (text) => dollarQuote(text).join("") }),
};
