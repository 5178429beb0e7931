/** A command as the bytes that can be typed. */

import { MAX_COMMAND_BYTES } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { bytesOf } from "./quote.ts";

/** Pure: one character a byte. Throws `NUL_BYTE` or `BAD_OPTION`. */
export function checkCommand(command: string): string {
  if (typeof command !== "string") throw new LimpetError("BAD_OPTION", "The command is no text. Give a text.");
  if (command.includes("\0")) {
    throw new LimpetError("NUL_BYTE", "The command holds a NUL byte, which no shell can read. Remove it.");
  }
  const bytes = bytesOf(command);
  if (bytes.length <= MAX_COMMAND_BYTES) return bytes;
  throw new LimpetError(
    "BAD_OPTION",
    `The command has ${bytes.length} bytes, and at most ${MAX_COMMAND_BYTES} can be typed. Put it into a file and run that.`,
  );
}
