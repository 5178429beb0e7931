/** The names of the files through which a shell gets its commands, and where they are. */
import { rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Absolute paths without special characters. */
export interface ShellPaths {
  readonly command: string;
  readonly end: string;
  /** Where some shells wait before the command. */
  readonly startGate: string;
  /** Where every shell waits behind its end mark. */
  readonly endGate: string;
  /** Where a shell that is asked for its state gets the nonce of its answer. */
  readonly keyGate: string;
}

export type Gate = "startGate" | "endGate" | "keyGate";

export const SHELL_FILES_PREFIX = "limpet-shell-";
/** A directory that is being created. */
export const NEW_SHELL_FILES_PREFIX = "limpet-new-shell-";
/** In a directory of this kind, the file that its process has locked. */
export const LOCKED_NAME = "e";
export const TEXT_NAMES: readonly string[] = ["c", LOCKED_NAME];
export const GATE_NAMES: readonly string[] = ["s", "g", "k"];
/** A new command file, before it replaces the other. */
export const NEW_COMMAND_NAME = "n";

export function pathsIn(directory: string): ShellPaths {
  const [command = "", end = "", startGate = "", endGate = "", keyGate = ""] = [...TEXT_NAMES, ...GATE_NAMES].map(
    (name) => join(directory, name),
  );
  return { command, end, startGate, endGate, keyGate };
}

/** Deletes what exists of such a directory, but no other files in it. */
export function removeShellFiles(directory: string): void {
  try {
    for (const name of [...TEXT_NAMES, ...GATE_NAMES, NEW_COMMAND_NAME]) rmSync(join(directory, name), { force: true });
    rmdirSync(directory);
  } catch {
    // Somebody else has deleted it, or uses it.
  }
}
