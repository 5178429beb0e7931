/** Finds a program's file in the PATH of the program's environment, not in the PATH of this process. */
import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

interface Where {
  readonly cwd: string;
  /** The PATH that the program will have. */
  readonly path: string | undefined;
}

type Verdict = "executable" | "not executable" | "missing";

export function findProgram(program: string, where: Where): string {
  if (program === "")
    throw new LimpetError("PROGRAM_NOT_FOUND", 'program must not be empty (got ""). Pass a program, such as "bash".');
  const candidates = program.includes("/") ? [resolve(where.cwd, program)] : searchPath(program, where);
  let found: string | undefined;
  for (const file of candidates) {
    const verdict = judge(file);
    if (verdict === "executable") return file;
    if (verdict === "not executable") found ??= file;
  }
  if (found) throw notExecutable(found);
  const searched = program.includes("/") ? candidates[0] : `PATH ${where.path ?? DEFAULT_PATH}`;
  throw new LimpetError(
    "PROGRAM_NOT_FOUND",
    `Program "${program}" was not found (searched ${searched}). Check the spelling, install it, or pass its full path.`,
  );
}

export function notExecutable(file: string, cause?: unknown): LimpetError {
  return new LimpetError(
    "PROGRAM_NOT_EXECUTABLE",
    `"${file}" cannot be executed. Make it executable (chmod +x); a script also needs a first line such as #!/bin/sh.`,
    { cause },
  );
}

export function requireDirectory(cwd: string): void {
  const what = judgeDirectory(cwd);
  if (what === undefined) return;
  throw new LimpetError(
    "DIRECTORY_NOT_FOUND",
    `The working directory "${cwd}" ${what}. Create it, or pass another one.`,
  );
}

function judgeDirectory(cwd: string): string | undefined {
  try {
    const found = statSync(cwd, { throwIfNoEntry: false });
    if (!found) return "does not exist";
    if (!found.isDirectory()) return "is a file, not a directory";
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    return `cannot be entered (${(error as NodeJS.ErrnoException).code})`;
  }
}

function searchPath(program: string, { cwd, path }: Where): string[] {
  return (path ?? DEFAULT_PATH).split(":").map((directory) => resolve(cwd, directory, program));
}

function judge(file: string): Verdict {
  try {
    if (!statSync(file).isFile()) return "not executable";
    accessSync(file, constants.X_OK);
    return "executable";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "not executable" : "missing";
  }
}
