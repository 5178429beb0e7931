/** Checks a command and turns it into bytes. */
import { MAX_COMMAND_BYTES } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { bytesOf } from "./dialects/quote.ts";

/** Pure: one character per byte. Throws `NUL_BYTE` or `BAD_OPTION`. */
export function checkCommand(command: string): string {
  if (typeof command !== "string")
    throw new LimpetError(
      "BAD_OPTION",
      `command must be a string (got ${typeof command}). Pass the command line as a string.`,
    );
  if (command.includes("\0")) {
    throw new LimpetError("NUL_BYTE", "The command contains a NUL byte, which no shell can read. Remove it.");
  }
  const bytes = bytesOf(command);
  if (bytes.length <= MAX_COMMAND_BYTES) return bytes;
  throw new LimpetError(
    "BAD_OPTION",
    `The command has ${bytes.length} bytes (limit ${MAX_COMMAND_BYTES}). Write it to a file and run the file.`,
  );
}
