/** Converts the cells of the library to ours, and finds where on a row the style changes. */
import type { Cell, Colour, UnderlineStyle } from "../snapshot.ts";

/** A cell of the library, which reuses one object for all cells. */
export interface RawCell extends RawLook {
  getChars(): string;
  getWidth(): number;
  isAttributeDefault(): boolean;
  getFgColorMode(): number;
  getBgColorMode(): number;
}

/** Its colours and its style. */
export interface RawLook {
  getFgColor(): number;
  getBgColor(): number;
  isFgRGB(): boolean;
  isBgRGB(): boolean;
  isFgPalette(): boolean;
  isBgPalette(): boolean;
  isBold(): number;
  isItalic(): number;
  isDim(): number;
  isUnderline(): number;
  isBlink(): number;
  isInverse(): number;
  isInvisible(): number;
  isStrikethrough(): number;
  isOverline(): number;
  /** Not part of the library's documented interface. */
  getUnderlineStyle?(): number;
  getUnderlineColor?(): number;
  isUnderlineColorRGB?(): boolean;
  isUnderlineColorPalette?(): boolean;
}

/** Everything of a cell but its text. */
export type Look = Omit<Cell, "text" | "width">;

/** Columns of one row with the same style. */
export interface Run {
  readonly from: number;
  /** The column after the last. */
  readonly to: number;
  readonly look: Look;
}

export const PLAIN_LOOK: Look = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: "none",
  blink: false,
  inverse: false,
  invisible: false,
  strike: false,
  overline: false,
};

const UNDERLINES: readonly UnderlineStyle[] = ["none", "single", "double", "curly", "dotted", "dashed"];

/** The runs of a row, without the plain ones. */
export function runsOf(cellAt: (col: number) => RawCell | undefined, cols: number): Run[] {
  const runs: Run[] = [];
  let from = 0;
  let key = "";
  let look = PLAIN_LOOK;
  for (let col = 0; col <= cols; col++) {
    const cell = col < cols ? cellAt(col) : undefined;
    const nextKey = cell === undefined || cell.isAttributeDefault() ? "" : keyOf(cell);
    if (nextKey === key) continue;
    if (key !== "") runs.push({ from, to: col, look });
    from = col;
    key = nextKey;
    if (cell !== undefined && key !== "") look = lookOf(cell);
  }
  return runs;
}

export function cellOf(cell: RawCell): Cell {
  const width = cell.getWidth();
  const look = cell.isAttributeDefault() ? PLAIN_LOOK : lookOf(cell);
  return { text: cell.getChars(), width: width === 0 || width === 2 ? width : 1, ...look };
}

/** A text that is equal only for rows that look the same. It costs much less than the cells of the row. */
export function rowKeyOf(cellAt: (col: number) => RawCell | undefined, cols: number): string {
  let key = "";
  for (let col = 0; col < cols; col++) {
    const cell = cellAt(col);
    if (cell === undefined) continue;
    // No cell holds a control character, so these cannot be confused with its text.
    key += `${cell.getChars()}\x1f`;
    if (!cell.isAttributeDefault()) key += `${keyOf(cell)} ${underlineKeyOf(cell)}\x1e`;
  }
  return key;
}

function underlineKeyOf(cell: RawCell): string {
  if (cell.isUnderline() === 0) return "";
  return `${cell.getUnderlineColor?.()} ${cell.isUnderlineColorRGB?.()} ${cell.isUnderlineColorPalette?.()}`;
}

/** Equal for cells with the same style. */
function keyOf(cell: RawCell): string {
  const flags =
    bit(cell.isBold(), 1) |
    bit(cell.isItalic(), 2) |
    bit(cell.isDim(), 4) |
    bit(cell.isBlink(), 8) |
    bit(cell.isInverse(), 16) |
    bit(cell.isInvisible(), 32) |
    bit(cell.isStrikethrough(), 64) |
    bit(cell.isOverline(), 128) |
    ((cell.getUnderlineStyle?.() ?? cell.isUnderline()) << 8);
  const fg = cell.getFgColorMode() + cell.getFgColor();
  return `${fg} ${cell.getBgColorMode() + cell.getBgColor()} ${flags}`;
}

function bit(value: number, mask: number): number {
  return value === 0 ? 0 : mask;
}

export function lookOf(cell: RawLook): Look {
  const underline = underlineOf(cell);
  const underlineColor = underline === "none" ? null : underlineColorOf(cell);
  return {
    fg: colourOf(cell.getFgColor(), { isRgb: cell.isFgRGB(), isPalette: cell.isFgPalette() }),
    bg: colourOf(cell.getBgColor(), { isRgb: cell.isBgRGB(), isPalette: cell.isBgPalette() }),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline,
    ...(underlineColor === null ? {} : { underlineColor }),
    blink: cell.isBlink() !== 0,
    inverse: cell.isInverse() !== 0,
    invisible: cell.isInvisible() !== 0,
    strike: cell.isStrikethrough() !== 0,
    overline: cell.isOverline() !== 0,
  };
}

function underlineOf(cell: RawLook): UnderlineStyle {
  if (cell.isUnderline() === 0) return "none";
  return UNDERLINES[cell.getUnderlineStyle?.() ?? 1] ?? "single";
}

function underlineColorOf(cell: RawLook): Colour {
  const isRgb = cell.isUnderlineColorRGB?.() ?? false;
  const isPalette = cell.isUnderlineColorPalette?.() ?? false;
  const colour = colourOf(cell.getUnderlineColor?.() ?? 0, { isRgb, isPalette });
  const own = colourOf(cell.getFgColor(), { isRgb: cell.isFgRGB(), isPalette: cell.isFgPalette() });
  return JSON.stringify(colour) === JSON.stringify(own) ? null : colour;
}

function colourOf(
  value: number,
  { isRgb, isPalette }: { readonly isRgb: boolean; readonly isPalette: boolean },
): Colour {
  if (isPalette) return value;
  return isRgb ? { r: (value >> 16) & 255, g: (value >> 8) & 255, b: value & 255 } : null;
}
