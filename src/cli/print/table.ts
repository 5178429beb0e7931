/** Aligns texts in columns, whatever characters they contain. Pure. */
import { charWidth } from "../../text/clean/char-width.ts";
import { visibleLine } from "./visible.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Longer texts are cut with an ellipsis. Default: no limit. */
  readonly maxWidth?: number;
  /** If the table is too wide, this column shares the remaining space with the last one. */
  readonly givesWay?: true;
}

interface TableOptions {
  /** Lines are cut to this width. Default: no limit. */
  readonly maxWidth?: number | undefined;
}

const GAP = "  ";
/** A narrower column is useless. */
const NARROWEST = 4;

/** The header comes first. Lines have no trailing blanks. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { maxWidth = Number.POSITIVE_INFINITY }: TableOptions = {},
): string[] {
  const all = [columns.map(({ title }) => title), ...rows];
  const cut = all.map((row) =>
    row.map((text, index) => shorten(visibleLine(text), columns[index]?.maxWidth ?? Number.POSITIVE_INFINITY)),
  );
  const wanted = columns.map((_, index) => Math.max(...cut.map((row) => widthOf(row[index] ?? ""))));
  const widths = widthsWithin(maxWidth, columns, wanted);
  const cell = (text: string, index: number) => {
    const width = widths[index] ?? 0;
    return pad(shorten(text, width), width, columns[index]?.align ?? "left");
  };
  return cut.map((row) => shorten(row.map(cell).join(GAP).trimEnd(), maxWidth));
}

/** The last column may still be too wide: it is cut with its line. */
function widthsWithin(maxWidth: number, columns: readonly Column[], wanted: readonly number[]): readonly number[] {
  const missing = wanted.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - maxWidth;
  const index = columns.findIndex(({ givesWay }) => givesWay);
  const [own, last] = [wanted[index], wanted.at(-1)];
  if (missing <= 0 || own === undefined || last === undefined) return wanted;
  const room = own + last - missing;
  const left = Math.max(NARROWEST, room - Math.min(last, Math.ceil(room / 2)));
  return wanted.with(index, Math.min(own, left));
}

function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** At most `max` columns wide. */
export function shorten(text: string, max: number): string {
  if (widthOf(text) <= max) return text;
  let kept = "";
  let width = 0;
  for (const char of text) {
    width += charWidth(char);
    if (width > max - 1) break;
    kept += char;
  }
  return max <= 0 ? "" : `${kept}…`;
}

export function pad(text: string, width: number, align: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "left" ? text + blanks : blanks + text;
}
