/**
 * Everything that the command line writes to stdout and stderr, except while it has the terminal (`UserTerminal`).
 *
 * Control sequences in text are made visible here, because names, commands, errors and file names may contain some.
 * Only `writeDrawing` writes sequences of our own.
 */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { getSystemErrorMap } from "node:util";
import { FAILED } from "../exit-codes.ts";
import { visible, visibleJson, visibleLine } from "./visible.ts";

/** Whether some output could not be written. */
let isOutputLost = false;

export function print(text: string): void {
  console.log(visible(text));
}

export function printError(text: string): void {
  console.error(visible(text));
}

/** Below whatever a program left on the line. */
export function printBelow(text: string): void {
  console.error(`\r\n${visible(text)}`);
}

/** Whether a person sees stderr. */
export function isPerson(): boolean {
  return process.stderr.isTTY;
}

/** Replaces the line that it printed before. */
export function overwriteLine(text: string): void {
  process.stderr.write(`\r${visibleLine(text)}\x1b[K`);
}

/** Prints one JSON value for scripts. */
export function printJson(value: unknown): void {
  console.log(visibleJson(value, 2));
}

/** Writes each JSON value on a line of its own. Resolves like `writeText`. */
export function writeJsonLines(values: readonly unknown[]): Promise<boolean> {
  return writeOut(values.map((value) => `${visibleJson(value)}\n`).join(""));
}

/** Resolves when stdout has room again; with false if the reader is gone, as with `| head`. */
export function writeText(text: string): Promise<boolean> {
  return writeOut(visible(text));
}

/** Writes text with our own control sequences. Text from programs in it must already be escaped with `visible`. */
export function writeDrawing(text: string): Promise<boolean> {
  return writeOut(text);
}

/** Writes bytes unchanged, into a pipe or a file. For a terminal, see `ShownOutput`. Resolves like `writeText`. */
export function writeBytes(bytes: Uint8Array): Promise<boolean> {
  return writeOut(bytes);
}

async function writeOut(bytes: Uint8Array | string): Promise<boolean> {
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
  // An error of stderr cannot be reported anywhere.
  process.stderr.on("error", () => undefined);
}

/** Resolves when everything is printed, with the exit code to use: a failure if output was lost. */
export async function codeAfterOutput(code: number): Promise<number> {
  // Into a pipe, Node writes as fast as the reader reads: an exit before that would cut the output.
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // A stream reports errors only after the call that wrote to it.
  await setImmediate();
  return isOutputLost ? FAILED : code;
}

/** Resolves when the stream has passed on everything, or when its reader is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.errored || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("close", resolve);
    stream.write("", () => resolve());
  });
}
