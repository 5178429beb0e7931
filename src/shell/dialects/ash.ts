/**
 * The ash of busybox: like dash, but it edits lines itself, unless echo is off when it begins to read. So the end of a command
 * waits for a line, which is typed once echo is off.
 */
import type { Dialect } from "./dialect.ts";
import { posix, posixFrame } from "./posix.ts";

export const ash: Dialect = {
  ...posix,
  names: ["ash", "busybox"],
  editsLines: true,
  frame: posixFrame(";\\read -r _ </dev/tty"),
};
