/** All that the command line writes to a person, or to a script that reads it. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { getSystemErrorMap, stripVTControlCharacters } from "node:util";
import { FAILED } from "../exit-codes.ts";

/** Whether something that was to be read could not be written. */
let isOutputLost = false;

export function print(text: string): void {
  console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text));
}

export function printError(text: string): void {
  console.error(text);
}

/** Whether a person sees what is printed as an error. */
export function isPerson(): boolean {
  return process.stderr.isTTY;
}

/** In place of the line that was printed in this way before. */
export function overwriteLine(text: string): void {
  process.stderr.write(`\r${text}\x1b[K`);
}

/** For scripts: one value, on lines of its own. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Bytes as they are. Resolves when more may come; false when nobody reads any more, as with `| head`. */
export async function writeOut(bytes: Uint8Array | string): Promise<boolean> {
  const { stdout } = process;
  if (stdout.destroyed || stdout.errored) return false;
  if (stdout.write(bytes)) return true;
  return await once(stdout, "drain").then(
    () => true,
    () => false,
  );
}

/** A reader that has gone is no failure of ours: what writes to it just stops. So it does on a full disk, which is told. */
export function expectLostOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isOutputLost) return;
    isOutputLost = true;
    const [, why] = getSystemErrorMap().get(error.errno ?? 0) ?? [];
    printError(`The output could not be written: ${why ?? error.message}.`);
  });
  // There is no other place to tell it.
  process.stderr.on("error", () => undefined);
}

/** What to exit with in place of this code, now that nothing more is printed. */
export async function codeAfterOutput(code: number): Promise<number> {
  // A stream tells what went wrong only after the call that wrote to it.
  await setImmediate();
  return isOutputLost ? FAILED : code;
}
