/** Named pipes, which Node cannot make. */
import { LimpetError } from "../base/limpet-error.ts";
import { errno, errnoName, libc } from "./libc.ts";

/** For us alone to read and to write. */
export function makeFifo(path: string): void {
  if (libc.mkfifo(path, 0o600) === 0) return;
  throw new LimpetError(
    "RESOURCE_EXHAUSTED",
    `No pipe could be made at ${path} (${errnoName(errno())}). Make room there, or set TMPDIR to another directory.`,
  );
}
