/**
 * One record of a journal on disk: a header, followed by unchanged output.
 *
 * The header contains the length and a checksum of the rest, so that a file truncated by a crash is readable up to its
 * last complete record. It also contains the cursor, so that a gap between two records shows how much is missing.
 */
import { crc32 } from "node:zlib";
import type { Origin } from "../../transport/transport.ts";

export const HEADER_BYTES = 20;
/** A larger length cannot be one of our records. */
export const MAX_RECORD_BYTES: number = 256 * 1024;

const ORIGINS: readonly Origin[] = ["terminal", "stdout", "stderr"];

export interface DiskRecord {
  readonly cursor: number;
  readonly origin: Origin;
  readonly bytes: Uint8Array;
}

export function encodeRecord(record: DiskRecord): Buffer {
  return encodeRecords([record]);
}

/** One after the other, as they are in a file. Copies each byte once: a flood would leave much garbage otherwise. */
export function encodeRecords(records: readonly DiskRecord[]): Buffer {
  const out = Buffer.allocUnsafeSlow(records.reduce((sum, { bytes }) => sum + HEADER_BYTES + bytes.length, 0));
  let at = 0;
  for (const { cursor, origin, bytes } of records) {
    const end = at + HEADER_BYTES + bytes.length;
    out.writeUInt32LE(bytes.length, at);
    out.writeDoubleLE(cursor, at + 8);
    out.writeUInt32LE(ORIGINS.indexOf(origin), at + 16);
    out.set(bytes, at + HEADER_BYTES);
    out.writeUInt32LE(crc32(out.subarray(at + 8, end)), at + 4);
    at = end;
  }
  return out;
}

/** Undefined if there is no complete record at `at`. */
export function decodeRecord(file: Buffer, at: number): DiskRecord | undefined {
  if (at + HEADER_BYTES > file.length) return undefined;
  const length = file.readUInt32LE(at);
  const end = at + HEADER_BYTES + length;
  if (length > MAX_RECORD_BYTES || end > file.length) return undefined;
  if (file.readUInt32LE(at + 4) !== crc32(file.subarray(at + 8, end))) return undefined;
  const origin = ORIGINS[file.readUInt32LE(at + 16)];
  return origin && { cursor: file.readDoubleLE(at + 8), origin, bytes: file.subarray(at + HEADER_BYTES, end) };
}
