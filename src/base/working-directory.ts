import { LimpetError } from "./limpet-error.ts";

/** The working directory of this process, which may have been deleted under our feet. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new LimpetError(
      "DIRECTORY_NOT_FOUND",
      "The working directory of this process does not exist any more. Give another one as cwd.",
      { cause },
    );
  }
}
