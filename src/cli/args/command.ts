/** The only file that imports the library for command lines. */
import type { CommandDef } from "citty";

export { type ArgsDef, defineCommand, renderUsage, runCommand } from "citty";

/** A command as we write it: what the library knows, and what its help shows besides. */
export type Command = CommandDef & {
  /** Shown by `--help`, each a line as one would type it. */
  readonly examples?: readonly string[];
  /** From the first word on that is no flag, all words belong to the program that is to be run. */
  readonly takesProgram?: true;
  /** Any number of words, or it says itself what is wrong with them. */
  readonly takesWords?: true;
  /** What its first word can be, where that is known. */
  readonly choices?: readonly string[];
  /** Flags that only limpet itself gives, and nobody needs to know. */
  readonly ownFlags?: readonly string[];
};
