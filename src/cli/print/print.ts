/** Everything that the command line writes to stdout and stderr. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { getSystemErrorMap, stripVTControlCharacters } from "node:util";
import { FAILED } from "../exit-codes.ts";

/** Whether some output could not be written. */
let isOutputLost = false;

export function print(text: string): void {
  console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text));
}

export function printError(text: string): void {
  console.error(text);
}

/** Whether a person sees stderr. */
export function isPerson(): boolean {
  return process.stderr.isTTY;
}

/** Replaces the line that it printed before. */
export function overwriteLine(text: string): void {
  process.stderr.write(`\r${text}\x1b[K`);
}

/** Prints one JSON value for scripts. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/**
 * Writes bytes unchanged. Resolves when stdout has room again; with false if nobody reads any more, as with `| head`.
 */
export async function writeOut(bytes: Uint8Array | string): Promise<boolean> {
  const { stdout } = process;
  if (stdout.destroyed || stdout.errored) return false;
  if (stdout.write(bytes)) return true;
  return await once(stdout, "drain").then(
    () => true,
    () => false,
  );
}

/** Handles errors of stdout: a closed pipe is not a failure, but a full disk is reported. */
export function expectLostOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isOutputLost) return;
    isOutputLost = true;
    const [, why] = getSystemErrorMap().get(error.errno ?? 0) ?? [];
    printError(`Could not write the output: ${why ?? error.message}.`);
  });
  // There is nowhere else to report it.
  process.stderr.on("error", () => undefined);
}

/** The exit code to use once everything is printed: a failure if output was lost. */
export async function codeAfterOutput(code: number): Promise<number> {
  // A stream reports errors only after the call that wrote to it.
  await setImmediate();
  return isOutputLost ? FAILED : code;
}
