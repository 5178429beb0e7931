/** How large a terminal is drawn. Pure. */
import type { TerminalSize } from "../../../base/terminal-size.ts";

/** Of a cell, in pixels, at a font size of one pixel. */
export interface CellShape {
  readonly width: number;
  readonly height: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
}

const LARGEST_PX = 15;
/** Smaller text cannot be read: the terminal scrolls sideways instead. */
const SMALLEST_PX = 8;

/** The font size, in whole or half pixels, at which all columns fit. */
export function fontSizeFor({ cols }: TerminalSize, room: Room, cell: CellShape): number {
  const fits = Math.floor((2 * room.width) / (cols * cell.width)) / 2;
  return Math.min(LARGEST_PX, Math.max(SMALLEST_PX, fits));
}

const LEAST = { cols: 20, rows: 5 };
const MOST = 500;

/** The size of a terminal that fills the room at this font size. */
export function sizeFor(room: Room, cell: CellShape, fontPx: number): TerminalSize {
  const count = (pixels: number, each: number, least: number) =>
    Math.min(MOST, Math.max(least, Math.floor(pixels / (each * fontPx))));
  return { cols: count(room.width, cell.width, LEAST.cols), rows: count(room.height, cell.height, LEAST.rows) };
}
