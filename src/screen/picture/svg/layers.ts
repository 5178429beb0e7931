/** What lies below and above the text of some rows: backgrounds, and all that is drawn instead of written. */
import { decorationsOf } from "./decorations-of.ts";
import { type DrawnGlyph, drawnGlyph } from "./drawn-glyph.ts";
import { BASELINE, CELL, rectangle } from "./grid.ts";
import type { PaintedCell } from "./painted-cells.ts";
import { mix } from "./palette.ts";
import { PathsByColour } from "./paths-by-colour.ts";
import { cellText } from "./svg-text.ts";
import type { HasGlyph } from "./text-runs.ts";
import type { Theme } from "./theme.ts";

export interface Drawings {
  /** Of drawn characters, by the id under which `elements` use them. */
  readonly shapes: ReadonlyMap<string, string>;
  readonly elements: readonly string[];
}

export function backgrounds(rows: readonly (readonly PaintedCell[])[], theme: Theme): readonly string[] {
  const paths = new PathsByColour();
  for (const row of rows) {
    for (let at = 0; at < row.length; ) {
      const first = row[at] as PaintedCell;
      let end = at + 1;
      while (row[end]?.bg === first.bg) end += 1;
      const last = row[end - 1] as PaintedCell;
      const cols = last.col + last.width - first.col;
      if (first.bg !== theme.background) {
        paths.add(first.bg, rectangle(first.col * CELL.width, first.row * CELL.height, cols * CELL.width, CELL.height));
      }
      at = end;
    }
  }
  return paths.filled();
}

/** Frames, blocks and other drawn characters, boxes for what no font has, and lines under text. */
export function drawings(rows: readonly (readonly PaintedCell[])[], hasGlyph: HasGlyph): Drawings {
  const shapes = new Map<string, string>();
  const uses = new Map<string, string[]>();
  const fills = new PathsByColour();
  const strokes = new PathsByColour();
  for (const cell of rows.flat()) {
    const [x, y] = [cell.col * CELL.width, cell.row * CELL.height];
    const glyph = drawnGlyph(cell.text);
    if (glyph !== undefined) {
      const id = `u${cell.text.codePointAt(0)?.toString(16)}`;
      shapes.set(id, shape(id, glyph));
      const colour = mix(cell.bg, cell.fg, glyph.share);
      const list = uses.get(colour) ?? [];
      uses.set(colour, list);
      list.push(`<use href="#${id}" x="${x}" y="${y}"/>`);
    } else if (cell.text !== "" && !hasGlyph(cellText(cell.text))) {
      strokes.add(cell.fg, rectangle(x + 1.5, y + 2.5, cell.width * CELL.width - 3, BASELINE - 2));
    }
    for (const { kind, colour, path } of decorationsOf(cell, x, y))
      (kind === "fill" ? fills : strokes).add(colour, path);
  }
  const groups = [...uses].map(([colour, list]) => `<g fill="${colour}" stroke="${colour}">${list.join("")}</g>`);
  return { shapes, elements: [...groups, ...fills.filled(), ...strokes.stroked()] };
}

export function shapeDefinitions(shapes: Drawings["shapes"]): readonly string[] {
  return shapes.size === 0 ? [] : [`<defs>${[...shapes.values()].join("")}</defs>`];
}

function shape(id: string, { fill, stroke }: DrawnGlyph): string {
  // Edges on whole pixels stay sharp; slopes and curves look better smooth.
  const sharp = /[^Mhvz\d .-]/u.test(fill) ? "" : ' shape-rendering="crispEdges"';
  const filled = fill === "" ? "" : `<path d="${fill}" stroke="none"${sharp}/>`;
  const stroked = stroke === "" ? "" : `<path d="${stroke}" fill="none"/>`;
  return `<g id="${id}">${filled}${stroked}</g>`;
}
