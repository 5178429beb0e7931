/** Creates named pipes, which Node cannot do. */
import { LimpetError } from "../base/limpet-error.ts";
import { errno, errnoName, libc } from "./libc.ts";

/** Only this user may read and write it. */
export function makeFifo(path: string): void {
  if (libc.mkfifo(path, 0o600) === 0) return;
  throw new LimpetError(
    "RESOURCE_EXHAUSTED",
    `A named pipe could not be created at ${path} (${errnoName(errno())}). Free space there, or set TMPDIR to another directory.`,
  );
}
