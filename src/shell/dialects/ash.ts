/**
 * The ash of busybox: like dash, but it edits lines itself, unless echo is off when it begins to read. So echo is off from the
 * end of a command until the next has begun; at both places the shell waits for an empty line, typed once that is so.
 *
 * Reading plain lines, it takes the end of a job for the end of its input. With `ignoreeof` it only says so, and reads on.
 */
import { dollarQuote } from "../quote.ts";
import type { Dialect } from "./dialect.ts";
import { posix, posixFrame } from "./posix.ts";

/** An end of input that the command did not read ends a `read` too early: then the line is yet to come. */
const AWAIT_LINE = Array(3).fill("\\read -r _ </dev/tty").join("||");

export const ash: Dialect = {
  ...posix,
  names: ["ash", "busybox"],
  args: (options) => [...posix.args(options), "-I"],
  editsLines: true,
  noise: '\r\nUse "exit" to leave shell.\r\n',
  frame: posixFrame({
    before: "\\set -I;",
    afterMark: `;${AWAIT_LINE}`,
    // Thrown back by Ctrl+C it does edit; then a line must have nothing but printable characters.
    quoteControls: (text) => dollarQuote(text).join(""),
  }),
};
