import { LimpetError } from "./limpet-error.ts";

/** The working directory of this process, which may have been deleted. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new LimpetError(
      "DIRECTORY_NOT_FOUND",
      "The working directory of this process no longer exists. Pass another one as cwd.",
      { cause },
    );
  }
}
