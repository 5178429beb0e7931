/**
 * Pixels as a PNG file. Screens have few colours: most fit into a palette of 256, which makes the file a third as large
 * as four bytes per pixel would. Opacity is left out: a screen has a background.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import type { Pixels } from "./renderer.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOUR = 2;
const INDEXED = 3;
/** Pixels between two pauses: some milliseconds, so that nobody waits for long. */
const PIECE = 256 * 1024;

const compress = promisify(deflate);

export async function encodePng(pixels: Pixels): Promise<Uint8Array> {
  const { width, height } = pixels;
  const indexed = await indexedRows(pixels);
  const rows = indexed?.rows ?? (await trueColourRows(pixels));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(indexed === undefined ? TRUE_COLOUR : INDEXED, 9);
  return Buffer.concat([
    SIGNATURE,
    part("IHDR", header),
    ...(indexed === undefined ? [] : [part("PLTE", indexed.palette)]),
    part("IDAT", await compress(rows)),
    part("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * Each row begins with a byte for its filter: 0 for none, which suits flat colours best. Undefined for over 256
 * colours.
 */
async function indexedRows({ width, height, rgba }: Pixels) {
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const rows = Buffer.alloc((width + 1) * height);
  const indexes = new Map<number, number>();
  for (let y = 0; y < height; y += 1) {
    let [colour, index] = [-1, 0];
    for (let x = 0; x < width; x += 1) {
      const next = words[y * width + x] as number;
      if (next !== colour) {
        colour = next;
        index = indexes.get(colour) ?? indexes.size;
        if (index === indexes.size) indexes.set(colour, index);
        if (index > 255) return undefined;
      }
      rows[y * (width + 1) + 1 + x] = index;
    }
    if (isPause(y, width)) await nextTurn();
  }
  const palette = Buffer.from(
    [...indexes.keys()].flatMap((word) => [word & 255, (word >> 8) & 255, (word >> 16) & 255]),
  );
  return { rows, palette };
}

async function trueColourRows({ width, height, rgba }: Pixels): Promise<Buffer> {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0, to = 0, from = 0; y < height; y += 1) {
    to += 1;
    for (let x = 0; x < width; x += 1, from += 4) {
      rows[to++] = rgba[from] as number;
      rows[to++] = rgba[from + 1] as number;
      rows[to++] = rgba[from + 2] as number;
    }
    if (isPause(y, width)) await nextTurn();
  }
  return rows;
}

function isPause(y: number, width: number): boolean {
  return y % Math.max(1, Math.floor(PIECE / width)) === 0;
}

function part(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
