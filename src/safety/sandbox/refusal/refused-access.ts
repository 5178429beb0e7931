/** Finds out whether the sandbox refuses access to a path, or the user has no right to it anyway. */
import { accessSync, constants, lstatSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isBelow } from "../is-below.ts";
import type { ResolvedSandbox } from "../resolve-sandbox.ts";

/** Access to these differs between programs, or does not depend on the rules about files. */
const UNKNOWN = ["/proc", "/sys", "/dev/pts", "/dev/fd"];
const DEVICES = ["null", "zero", "full", "random", "urandom", "tty", "stdin", "stdout", "stderr"].map((name) =>
  join("/dev", name),
);
/** Of the directories of sandboxes. */
const TEMPORARY_PREFIX = "limpet-sandbox-";

/**
 * Undefined if the sandbox allows it, or if the user may not do it either.
 */
export function refusedAccess(
  path: string,
  { hidden, writable, locked }: Pick<ResolvedSandbox, "hidden" | "writable" | "locked">,
): "read" | "write" | undefined {
  const real = realOf(path);
  if ([...UNKNOWN, ...DEVICES].some((known) => isBelow(path, known) || isBelow(real, known))) return undefined;
  if (real.startsWith(join(realOf(tmpdir()), TEMPORARY_PREFIX))) return undefined;
  const exists = lstatSync(real, { throwIfNoEntry: false }) !== undefined;
  if (hidden.some((each) => isBelow(real, each))) return exists && may(real, constants.R_OK) ? "read" : undefined;
  if (locked.some((each) => isBelow(real, each))) return "write";
  if (writable.some((each) => isBelow(real, each))) return undefined;
  // A file that the user may not read or run fails with the same message.
  if (exists && lstatSync(real).isFile() && !may(real, constants.R_OK)) return undefined;
  return may(exists ? real : dirname(real), constants.W_OK) ? "write" : undefined;
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Without symbolic links, as far as the path exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}
