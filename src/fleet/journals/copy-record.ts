/** The description of a session that is stored with the copy of its output. Pure. */
import type { Exit } from "../../base/exit.ts";

export interface CopyRecord {
  readonly name: string | null;
  readonly program: string;
  /** Null while the program runs. */
  readonly exit: Exit | null;
  /** How much the program had printed when this record was written. */
  readonly outputBytes: number;
  /** The end of the output that was copied by then. */
  readonly copiedBytes: number;
  /** When the record was written, in milliseconds since 1970 by the clock of the host. Only shown, never compared. */
  readonly atMs: number;
}

export function encodeCopyRecord(record: CopyRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** Undefined for data that is not such a record. */
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

/** Says how much of the output may be missing, for people and agents. */
export function describeMissing({ exit, outputBytes, copiedBytes, atMs }: CopyRecord, keptFrom: number): string {
  const time = new Date(atMs).toISOString();
  const before = keptFrom > 0 ? `The first ${keptFrom} bytes were not kept. ` : "";
  const which = keptFrom > 0 ? "All later output" : "All output";
  if (exit !== null && copiedBytes >= outputBytes) return `${before}${which} was copied.`;
  const known = outputBytes - copiedBytes;
  const missing = known > 0 ? `At least ${known} bytes after that and all later output are` : "All later output is";
  return `${before}Copied up to byte ${copiedBytes} at ${time}. ${missing} missing.`;
}
