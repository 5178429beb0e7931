/** All that the command line writes to a person, or to a script that reads it. */
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";

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

/** A reader that has gone is no failure of ours: what writes to it just stops. */
export function expectClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
