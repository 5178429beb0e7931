/**
 * The cells of a screen in little space, to be sent: most neighbours look alike, and most cells are empty. A screen of
 * 160 x 24 takes some kilobytes instead of half a megabyte. Pure.
 */
import { type Look, PLAIN_LOOK } from "./drawing/cells.ts";
import type { Cell } from "./snapshot.ts";

/**
 * Cells of one row that look alike: empty ones (`blanks`), or one character each with a width of one column (`text`),
 * or any (`cells`: the width and the text of each).
 */
export type PackedRun = { readonly look?: Look } & (
  | { readonly blanks: number }
  | { readonly text: string }
  | { readonly cells: readonly string[] }
);

type Kind = "blanks" | "text" | "cells";

export function packRow(row: readonly Cell[]): readonly PackedRun[] {
  const runs: PackedRun[] = [];
  for (let from = 0; from < row.length; ) {
    const first = row[from] as Cell;
    const kind = kindOf(first);
    const look = lookKey(first);
    let to = from + 1;
    while (to < row.length && isLike(row[to] as Cell, first, kind, look)) to += 1;
    runs.push({ ...(look === PLAIN_KEY ? {} : { look: lookOf(first) }), ...packed(row.slice(from, to), kind) });
    from = to;
  }
  return runs;
}

export function unpackRow(runs: readonly PackedRun[]): readonly Cell[] {
  return runs.flatMap((run) => {
    const { look = PLAIN_LOOK } = run;
    if ("blanks" in run) return Array.from({ length: run.blanks }, () => ({ text: "", width: 1 as const, ...look }));
    if ("text" in run) return run.text.split("").map((text) => ({ text, width: 1 as const, ...look }));
    return run.cells.map((cell) => ({ text: cell.slice(1), width: Number(cell[0]) as Cell["width"], ...look }));
  });
}

function isLike(cell: Cell, first: Cell, kind: Kind, look: string): boolean {
  // Empty cells are often one object.
  return cell === first || (kindOf(cell) === kind && lookKey(cell) === look);
}

function kindOf({ text, width }: Cell): Kind {
  if (width !== 1) return "cells";
  if (text === "") return "blanks";
  // One code unit: a character of its own, never half of one.
  return text.length === 1 ? "text" : "cells";
}

function packed(cells: readonly Cell[], kind: Kind): PackedRun {
  if (kind === "blanks") return { blanks: cells.length };
  if (kind === "text") return { text: cells.map(({ text }) => text).join("") };
  return { cells: cells.map(({ text, width }) => `${width}${text}`) };
}

function lookOf({ text: _text, width: _width, ...look }: Cell): Look {
  return look;
}

function lookKey(cell: Cell): string {
  const { fg, bg, bold, dim, italic, underline, blink, inverse, invisible, strike, overline, underlineColor } = cell;
  const flags = [bold, dim, italic, blink, inverse, invisible, strike, overline].map(Number).join("");
  return `${colourKey(fg)} ${colourKey(bg)} ${flags} ${underline} ${colourKey(underlineColor)}`;
}

function colourKey(colour: Cell["fg"] | undefined): string {
  if (colour === undefined) return "";
  return typeof colour === "object" && colour !== null ? `${colour.r},${colour.g},${colour.b}` : String(colour);
}

const PLAIN_KEY: string = lookKey({ text: "", width: 1, ...PLAIN_LOOK });
