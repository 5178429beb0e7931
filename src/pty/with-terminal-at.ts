/** Opens a terminal that another process uses, to read its state from the kernel. */
import { closeSync, constants, openSync } from "node:fs";

/** Reading it never blocks, and it does not become the controlling terminal of this process. */
const FLAGS = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;

/** The result of `ask`; undefined if the terminal does not exist or belongs to another user. */
export function withTerminalAt<T>(path: string, ask: (file: number) => T): T | undefined {
  try {
    const file = openSync(path, FLAGS);
    try {
      return ask(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
