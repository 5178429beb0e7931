/** The text of one row as few SVG elements, each of which keeps to its columns. */
import { drawnGlyph } from "./drawn-glyph.ts";
import { BASELINE, CELL } from "./grid.ts";
import type { PaintedCell } from "./painted-cells.ts";
import { cellText, escapeText } from "./svg-text.ts";

/** Every monospaced font has these, in one width. */
const PLAIN = /^[!-~\xa1-\xac\xae-\xff]$/u;
/** DejaVu's own slant, for fonts that come without italics. */
const SLANT = -11;

/** Whether a font has the character; a box is drawn where not. */
export type HasGlyph = (text: string) => boolean;

export function textRuns(row: readonly PaintedCell[], hasGlyph: HasGlyph): readonly string[] {
  const elements: string[] = [];
  for (let at = 0; at < row.length; ) {
    const first = row[at] as PaintedCell;
    if (!isWritten(first, hasGlyph)) {
      at += 1;
    } else if (PLAIN.test(first.text)) {
      const end = runEnd(row, at);
      elements.push(run(row.slice(at, end)));
      at = end;
    } else {
      elements.push(single(first));
      at += 1;
    }
  }
  return elements;
}

function isWritten(cell: PaintedCell, hasGlyph: HasGlyph): boolean {
  return cell.text !== "" && drawnGlyph(cell.text) === undefined && hasGlyph(cellText(cell.text));
}

/** A run goes on over one blank between words that look alike. */
function runEnd(row: readonly PaintedCell[], start: number): number {
  const first = row[start] as PaintedCell;
  const fits = (cell: PaintedCell | undefined): boolean =>
    cell !== undefined &&
    PLAIN.test(cell.text) &&
    cell.fg === first.fg &&
    cell.bold === first.bold &&
    cell.italic === first.italic;
  let end = start + 1;
  while (fits(row[end]) || (row[end]?.text === "" && fits(row[end + 1]))) end += 1;
  return end;
}

function run(cells: readonly PaintedCell[]): string {
  const [first] = cells as readonly [PaintedCell];
  const text = cells.map((cell) => (cell.text === "" ? " " : cell.text)).join("");
  const length = `textLength="${cells.length * CELL.width}" lengthAdjust="spacingAndGlyphs"`;
  return element(first, first.col * CELL.width, length, text);
}

/** In the middle of its cell, whatever width the font gives it. */
function single(cell: PaintedCell): string {
  const middle = (cell.col + cell.width / 2) * CELL.width;
  return element(cell, middle, 'text-anchor="middle"', cellText(cell.text));
}

function element(cell: PaintedCell, x: number, attributes: string, text: string): string {
  const y = cell.row * CELL.height + BASELINE;
  const place = cell.italic ? `transform="translate(${x} ${y}) skewX(${SLANT})"` : `x="${x}" y="${y}"`;
  const weight = cell.bold ? ' font-weight="bold"' : "";
  return `<text ${place} fill="${cell.fg}"${weight} ${attributes}>${escapeText(text)}</text>`;
}
