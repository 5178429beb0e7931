/**
 * The ash of busybox: like dash, but it edits lines itself unless echo is off when it starts to read. So echo is off
 * from the end of a command until the start of the next, and the shell waits at the gate at both points.
 *
 * When it reads plain lines, it mistakes the end of a job for the end of its input. With `ignoreeof` it then prints a
 * notice instead of exiting.
 */

import type { Dialect } from "./dialect.ts";
import { posix, posixFrame } from "./posix.ts";

export const ash: Dialect = {
  ...posix,
  names: ["ash", "busybox"],
  args: (options) => [...posix.args(options), "-I"],
  editsLines: true,
  leavesLocks: true,
  noise: '\r\nUse "exit" to leave shell.\r\n',
  frame: posixFrame({ beforeStart: ({ paths }) => [`\\: <${paths.startGate}`], beforeEnd: ["\\set -I"] }),
};
