/** Which characters a font file has, from its cmap table alone: fonts are large, and most are never needed. */
import { type FileHandle, open } from "node:fs/promises";

export interface Coverage {
  has(code: number): boolean;
}

/** A font with a longer list of ranges is not genuine. */
const MAX_CMAP_BYTES = 1024 * 1024;
const MAX_TABLES = 64;

/** Undefined for a file that is not a font, and for a font without outlines, which we cannot draw. */
export async function coverageOf(file: string): Promise<Coverage | undefined> {
  const handle = await open(file, "r");
  try {
    const head = await read(handle, 0, 16);
    // Of a collection, the first font counts.
    const start = head.toString("latin1", 0, 4) === "ttcf" ? head.readUInt32BE(12) : 0;
    const count = Math.min(MAX_TABLES, (await read(handle, start, 12)).readUInt16BE(4));
    const directory = await read(handle, start + 12, count * 16);
    const tables = new Map(
      Array.from({ length: count }, (_, at) => [
        directory.toString("latin1", at * 16, at * 16 + 4),
        { offset: directory.readUInt32BE(at * 16 + 8), length: directory.readUInt32BE(at * 16 + 12) },
      ]),
    );
    const cmap = tables.get("cmap");
    const hasOutlines = ["glyf", "CFF ", "CFF2"].some((name) => tables.has(name));
    if (cmap === undefined || !hasOutlines || tables.has("COLR") || cmap.length > MAX_CMAP_BYTES) return undefined;
    return readCmap(await read(handle, cmap.offset, cmap.length));
  } catch (error) {
    // A file that ends too early is not a font, and limpet does not use one that it cannot read.
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  } finally {
    await handle.close();
  }
}

async function read(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** The ranges of all subtables of format 4 (the first plane) and 12 (all planes). */
function readCmap(cmap: Buffer): Coverage {
  const ranges: (readonly [number, number])[] = [];
  const count = Math.min(MAX_TABLES, cmap.readUInt16BE(2));
  for (let at = 0; at < count; at += 1) {
    const platform = cmap.readUInt16BE(4 + at * 8);
    const subtable = cmap.subarray(cmap.readUInt32BE(8 + at * 8));
    if (platform !== 0 && platform !== 3) continue;
    const format = subtable.readUInt16BE(0);
    if (format === 4) ranges.push(...segments(subtable));
    if (format === 12) ranges.push(...groups(subtable));
  }
  return { has: (code) => ranges.some(([from, to]) => code >= from && code <= to) };
}

function segments(table: Buffer): readonly (readonly [number, number])[] {
  const count = table.readUInt16BE(6) / 2;
  return Array.from({ length: count }, (_, at): readonly [number, number] => [
    table.readUInt16BE(16 + count * 2 + at * 2),
    table.readUInt16BE(14 + at * 2),
  ]).filter(([from]) => from !== 0xffff);
}

function groups(table: Buffer): readonly (readonly [number, number])[] {
  const count = Math.min(table.readUInt32BE(12), Math.floor((table.length - 16) / 12));
  return Array.from({ length: count }, (_, at): readonly [number, number] => [
    table.readUInt32BE(16 + at * 12),
    table.readUInt32BE(20 + at * 12),
  ]);
}
