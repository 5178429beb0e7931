/** The progress of a copy, for a person at a terminal. */

import type { CopiedFile } from "../../../host/files/file-parts.ts";
import type { OnProgress } from "../../../places/files/copy-file.ts";
import { describeBytes } from "../../print/describe-session.ts";
import { ProgressLine } from "../../print/progress-line.ts";

export class CopyProgress {
  readonly #line = new ProgressLine();
  readonly #startedMs = performance.now();

  async during<T>(copy: (onProgress: OnProgress) => Promise<T>): Promise<T> {
    try {
      return await copy((bytes, of) => this.#line.tell(() => this.#describe(bytes, of)));
    } finally {
      this.#line.end();
    }
  }

  #describe(bytes: number, of: number | undefined): string {
    const rate = `${describeBytes((bytes * 1000) / Math.max(1, performance.now() - this.#startedMs))}/s`;
    if (of === undefined || of === 0) return `${describeBytes(bytes)}, ${rate}`;
    return `${Math.floor((100 * bytes) / of)}% of ${describeBytes(of)}, ${rate}`;
  }
}

export function describeCopied({ path, bytes }: CopiedFile): string {
  return `${path} (${describeBytes(bytes)})`;
}
