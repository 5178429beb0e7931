/** What a copy says about its session. Pure. */
import type { Exit } from "../../base/exit.ts";

export interface CopyRecord {
  readonly name: string | null;
  readonly program: string;
  /** Null while it runs. */
  readonly exit: Exit | null;
  /** How much it had printed when this was written. */
  readonly outputBytes: number;
  /** The end of what was copied by then. */
  readonly copiedBytes: number;
  /** Milliseconds since 1970, by the clock of its host. For people only. */
  readonly atMs: number;
}

export function encodeCopyRecord(record: CopyRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** Undefined for what is not such a record. */
export function readCopyRecord(data: Uint8Array): CopyRecord | undefined {
  try {
    const given = JSON.parse(Buffer.from(data).toString()) as CopyRecord;
    const counts = [given.outputBytes, given.copiedBytes, given.atMs];
    const areCounts = counts.every((count) => Number.isSafeInteger(count) && count >= 0);
    const isNamed = typeof given.program === "string" && (given.name === null || typeof given.name === "string");
    const isEnded = given.exit === null || typeof given.exit === "object";
    return areCounts && isNamed && isEnded ? given : undefined;
  } catch {
    return undefined;
  }
}

/** How much of a lost session may be missing: for people and agents. */
export function describeMissing({ exit, outputBytes, copiedBytes, atMs }: CopyRecord, keptFrom: number): string {
  const time = new Date(atMs).toISOString();
  const before = keptFrom > 0 ? `The first ${keptFrom} bytes were not kept. ` : "";
  if (exit !== null && copiedBytes >= outputBytes)
    return `${before}Everything that it printed from there on was copied.`;
  const known = outputBytes - copiedBytes;
  const sure = known > 0 ? `At least ${known} bytes after it are missing, and w` : "W";
  return `${before}Copied up to byte ${copiedBytes} at ${time}. ${sure}hat it printed later is missing, too.`;
}
