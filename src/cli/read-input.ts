/** All that comes on stdin. */

import { MAX_INPUT_BYTES } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";

/** More than a session takes at once is refused before it is read. */
export async function readInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes > MAX_INPUT_BYTES) {
      throw new LimpetError("INPUT_BACKLOG", `More than ${MAX_INPUT_BYTES} bytes came on stdin. Send less at a time.`);
    }
  }
  return Buffer.concat(parts);
}
