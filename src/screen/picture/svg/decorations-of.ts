/** Lines under, through and over text. */
import { BASELINE, CELL, rectangle } from "./grid.ts";
import type { PaintedCell } from "./painted-cells.ts";

export interface Decoration {
  readonly colour: string;
  readonly path: string;
  /** Filled, or drawn as a line one pixel thick. */
  readonly kind: "fill" | "stroke";
}

const UNDER = BASELINE + 2;
const THROUGH = 9;
/** Half a wave of a curly line. */
const WAVE = CELL.width / 3;

export function decorationsOf(cell: PaintedCell, x: number, y: number): readonly Decoration[] {
  const width = cell.width * CELL.width;
  const line = (at: number, colour: string): Decoration => ({
    kind: "fill",
    colour,
    path: rectangle(x, y + at, width, 1),
  });
  return [
    ...underlines(cell, x, y),
    ...(cell.strike ? [line(THROUGH, cell.fg)] : []),
    ...(cell.overline ? [line(0, cell.fg)] : []),
  ];
}

function underlines(cell: PaintedCell, x: number, y: number): readonly Decoration[] {
  const width = cell.width * CELL.width;
  const fill = (path: string): readonly Decoration[] => [{ kind: "fill", colour: cell.underlineColour, path }];
  const under = y + UNDER;
  switch (cell.underline) {
    case "none":
      return [];
    case "single":
      return fill(rectangle(x, under, width, 1));
    case "double":
      return fill(rectangle(x, under - 1, width, 1) + rectangle(x, under + 1, width, 1));
    case "dotted":
      return fill(
        pieces(x, width, 3)
          .map((from) => rectangle(from, under, 1, 1))
          .join(""),
      );
    case "dashed":
      return fill(
        pieces(x, width, 9)
          .map((from) => rectangle(from, under, 5, 1))
          .join(""),
      );
    case "curly": {
      // Three half waves a cell, so that every second cell begins as the first: up, down, up.
      const isEven = cell.col % 2 === 0;
      const turns = Array.from({ length: cell.width * 3 }, (_, at) => (at % 2 === 0) === isEven);
      const path = turns.map((up) => `q${WAVE / 2} ${up ? -3 : 3} ${WAVE} 0`).join("");
      return [{ kind: "stroke", colour: cell.underlineColour, path: `M${x} ${under + 0.5}${path}` }];
    }
  }
}

function pieces(x: number, width: number, every: number): readonly number[] {
  return Array.from({ length: Math.floor(width / every) }, (_, at) => x + at * every);
}
