/** Reads a small text file. Never blocks, even if somebody has put a named pipe in its place. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** A larger file is not a settings file. */
const MAX_BYTES = 1024 * 1024;

/**
 * `refuse` a link: a program in a sandbox may have made it, and errors about the content would show what the program
 * cannot read.
 */
export type LinkRule = "follow" | "refuse";

/** Undefined if the file does not exist. Throws an error whose message is the reason, such as `EACCES`. */
export function readPlainFile(file: string, links: LinkRule): string | undefined {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links === "refuse" ? constants.O_NOFOLLOW : 0);
  let fd: number;
  try {
    fd = openSync(file, flags);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(code === "ELOOP" && links === "refuse" ? "it is a link" : String(code), { cause });
  }
  try {
    const facts = fstatSync(fd);
    if (facts.isDirectory()) throw new Error("EISDIR");
    if (!facts.isFile() || facts.size > MAX_BYTES)
      throw new Error("it is not a regular file, or too large for settings");
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
