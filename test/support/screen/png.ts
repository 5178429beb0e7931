/** Reads PNG files of 8 bits a channel without filters, as we write them: enough to look at single pixels. */
import { inflateSync } from "node:zlib";

export interface ReadPng {
  readonly width: number;
  readonly height: number;
  /** As `#rrggbb`. */
  at(x: number, y: number): string;
}

export function readPng(file: Uint8Array): ReadPng {
  const bytes = Buffer.from(file);
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    parts.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const header = parts.get("IHDR") ?? Buffer.alloc(13);
  const palette = parts.get("PLTE");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(parts.get("IDAT") ?? Buffer.alloc(0));
  const size = palette === undefined ? 3 : 1;
  return {
    width,
    height,
    at(x, y) {
      const place = y * (width * size + 1) + 1 + x * size;
      const from = palette === undefined ? place : (rows[place] ?? 0) * 3;
      return `#${(palette ?? rows).toString("hex", from, from + 3)}`;
    },
  };
}
