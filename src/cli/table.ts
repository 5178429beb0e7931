/** Texts in columns that line up, whatever characters they hold. Pure. */
import { charWidth } from "../output/char-width.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Longer texts end in an ellipsis. Default: as long as they are. */
  readonly maxWidth?: number;
}

/** The titles come first. Nothing stands after the last text of a line. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns.map(({ title }) => title), ...rows];
  const cut = all.map((row) =>
    row.map((text, index) => shorten(clean(text), columns[index]?.maxWidth ?? Number.POSITIVE_INFINITY)),
  );
  const widths = columns.map((_, index) => Math.max(...cut.map((row) => widthOf(row[index] ?? ""))));
  return cut.map((row) =>
    row
      .map((text, index) => pad(text, widths[index] ?? 0, columns[index]?.align ?? "left"))
      .join("  ")
      .trimEnd(),
  );
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

/** A name or a command may hold anything; in a table each is one line of plain text. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}
