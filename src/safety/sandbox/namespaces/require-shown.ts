/**
 * Checks that a program can start in namespaces, before anything is started: `nsenter` could report a failure only in
 * the terminal.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { LimpetError } from "../../../base/limpet-error.ts";
import { findProgram, notExecutable, requireDirectory } from "../../../pty/find-program.ts";
import type { SpawnOptions } from "../../../pty/spawn-program.ts";
import { isBelow } from "../is-below.ts";

const HEAD_BYTES = 256;
/** Of programs that the kernel starts itself. */
const BINARY = "\x7fELF";
/** Where programs of other formats are registered, besides two files of its own. */
const OTHER_FORMATS = "/proc/sys/fs/binfmt_misc";
const OWN_FILES = ["register", "status"];

export function requireShown(
  { program, cwd, env }: Pick<SpawnOptions, "program" | "cwd" | "env">,
  { hidden }: { readonly hidden: readonly string[] },
): void {
  requireDirectory(cwd);
  const isHidden = (path: string) => {
    const real = realpathSync(path);
    return hidden.some((each) => isBelow(real, each));
  };
  if (isHidden(cwd)) {
    const next = "Use another one, or no sandbox.";
    throw new LimpetError("DIRECTORY_NOT_FOUND", `The working directory "${cwd}" is hidden in the sandbox. ${next}`);
  }
  const file = findProgram(program, { cwd, path: env["PATH"] });
  if (isHidden(file)) throw notExecutable(file, new Error("the sandbox hides it"));
  const interpreter = interpreterIn(headOf(file));
  if (interpreter === "none" && !hasOtherFormats()) throw notExecutable(file);
  if (interpreter?.startsWith("/") && !existsSync(interpreter))
    throw notExecutable(file, new Error("the interpreter that its first line names does not exist"));
}

/** Pure: the program that the first line of a script names; undefined for a binary program. */
function interpreterIn(head: string): string | undefined {
  if (head.startsWith(BINARY)) return undefined;
  return /^#![ \t]*([^\s]+)/.exec(head)?.[1] ?? "none";
}

function hasOtherFormats(): boolean {
  try {
    return readdirSync(OTHER_FORMATS).some((name) => !OWN_FILES.includes(name));
  } catch {
    return false;
  }
}

/** A file that cannot be read counts as a binary program: it may be executable all the same. */
function headOf(file: string): string {
  try {
    const fd = openSync(file, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return head.toString("latin1", 0, readSync(fd, head));
    } finally {
      closeSync(fd);
    }
  } catch {
    return BINARY;
  }
}
