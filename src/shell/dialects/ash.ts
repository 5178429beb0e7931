/**
 * The ash of busybox: like dash, but it edits lines itself unless echo is off when it begins to read. So echo is off
 * from the end of a command until the start of the next. At both points the shell waits for an empty line, which we
 * type once echo is off or on again.
 *
 * When it reads plain lines, it mistakes the end of a job for the end of its input. With `ignoreeof` it only prints a
 * notice.
 */

import type { Dialect } from "./dialect.ts";
import { posix, posixFrame } from "./posix.ts";
import { dollarQuote } from "./quote.ts";

/** An end of input that the command left unread ends a `read` too early: then the line is still to come. */
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
    // After Ctrl+C it does edit; then a line may only contain printable characters.
    quoteControls: (text) => dollarQuote(text).join(""),
  }),
};
