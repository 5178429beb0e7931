/** Opens a terminal that another process uses, to ask the kernel about it. */
import { closeSync, constants, openSync } from "node:fs";

/** Reading it never blocks, and it does not become the controlling terminal of this process. */
const FLAGS = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;

/** The result of `ask`; undefined if the terminal is gone or belongs to somebody else. */
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
