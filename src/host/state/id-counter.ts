/**
 * Session ids that are never reused, not even by a later host. The last id is overwritten in place in a file of fixed
 * size, so a full disk cannot cause a repeated id.
 */
import { closeSync, constants, fchmodSync, openSync, readFileSync, writeSync } from "node:fs";

const WIDTH = 16;

export class IdCounter {
  readonly #fd: number;
  #last: number;

  /** Ids up to `atLeast` are in use. */
  constructor(path: string, atLeast: number) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    fchmodSync(this.#fd, 0o600);
    this.#last = Math.max(readLast(this.#fd), atLeast);
    this.#write();
  }

  take(): number {
    this.#last += 1;
    this.#write();
    return this.#last;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(): void {
    try {
      writeSync(this.#fd, `${String(this.#last).padStart(WIDTH - 1)}\n`, 0);
    } catch {
      // Happens only if the disk was full from the beginning. Then the records of sessions contain the ids.
    }
  }
}

function readLast(fd: number): number {
  const last = Number(readFileSync(fd, "latin1").trim() || 0);
  return Number.isSafeInteger(last) && last >= 0 ? last : 0;
}
