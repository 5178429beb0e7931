/**
 * A snapshot as a picture in SVG: backgrounds, then text, then lines. Text is written in short runs whose length is
 * stated, and everything unusual cell by cell, so that columns line up in whatever font a viewer has.
 */
import type { Snapshot } from "../snapshot.ts";
import { decorationsOf } from "./decorations.ts";
import { type DrawnGlyph, drawnGlyph } from "./drawn-glyphs.ts";
import { BASELINE, CELL, FONT_SIZE, MARGIN, rectangle, TITLE_BAR_HEIGHT } from "./grid.ts";
import { type PaintedCell, paintedCells } from "./painted-cells.ts";
import { mix, themeOf } from "./palette.ts";
import { PathsByColour } from "./paths-by-colour.ts";
import { cellText } from "./svg-text.ts";
import { type HasGlyph, textRuns } from "./text-runs.ts";
import type { Theme, ThemeName } from "./theme.ts";
import { titleBar } from "./title-bar.ts";

export interface SvgOptions {
  /** Colours that the program left to the terminal. Dark where not given. */
  readonly theme?: ThemeName | Theme;
  /** Shown in a bar on top; no bar where not given. */
  readonly title?: string;
}

export interface SvgDocument {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The screen as a person sees it, as an SVG document. The same snapshot always gives the same text. It refers to fonts
 * by name and embeds none; text of the program is escaped, and no control character gets in.
 */
export function renderSvg(snapshot: Snapshot, options: SvgOptions = {}): string {
  return drawSvg(snapshot, options, () => true).svg;
}

/** The size of the picture in pixels. */
export function pictureSize(
  snapshot: Snapshot,
  { title }: SvgOptions,
): { readonly width: number; readonly height: number } {
  return {
    width: snapshot.size.cols * CELL.width + 2 * MARGIN,
    height: snapshot.size.rows * CELL.height + 2 * MARGIN + (title === undefined ? 0 : TITLE_BAR_HEIGHT),
  };
}

export function drawSvg(snapshot: Snapshot, options: SvgOptions, hasGlyph: HasGlyph): SvgDocument {
  const theme = themeOf(options.theme);
  const { width, height } = pictureSize(snapshot, options);
  const top = MARGIN + (options.title === undefined ? 0 : TITLE_BAR_HEIGHT);
  const rows = paintedCells(snapshot, theme);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${theme.background}"/>`,
    ...(options.title === undefined ? [] : titleBar(options.title, width, theme)),
    `<g transform="translate(${MARGIN} ${top})" font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="${FONT_SIZE}" xml:space="preserve">`,
    ...backgrounds(rows, theme),
    ...rows.flatMap((row) => textRuns(row, hasGlyph)),
    ...drawings(rows, hasGlyph),
    ...thinCaret(snapshot, theme),
    "</g>",
    "</svg>",
  ];
  return { svg: `${parts.join("\n")}\n`, width, height };
}

function backgrounds(rows: readonly (readonly PaintedCell[])[], theme: Theme): readonly string[] {
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
function drawings(rows: readonly (readonly PaintedCell[])[], hasGlyph: HasGlyph): readonly string[] {
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
  const defs = shapes.size === 0 ? [] : [`<defs>${[...shapes.values()].join("")}</defs>`];
  return [...defs, ...groups, ...fills.filled(), ...strokes.stroked()];
}

function shape(id: string, { fill, stroke }: DrawnGlyph): string {
  // Edges on whole pixels stay sharp; slopes and curves look better smooth.
  const sharp = /[^Mhvz\d .-]/u.test(fill) ? "" : ' shape-rendering="crispEdges"';
  const filled = fill === "" ? "" : `<path d="${fill}" stroke="none"${sharp}/>`;
  const stroked = stroke === "" ? "" : `<path d="${stroke}" fill="none"/>`;
  return `<g id="${id}">${filled}${stroked}</g>`;
}

function thinCaret({ caret, size }: Snapshot, theme: Theme): readonly string[] {
  if (!caret.isVisible || caret.row >= size.rows) return [];
  const [x, y] = [Math.min(caret.col, size.cols - 1) * CELL.width, caret.row * CELL.height];
  switch (caret.shape) {
    case "underline":
      return [`<path fill="${theme.caret}" d="${rectangle(x, y + CELL.height - 2, CELL.width, 2)}"/>`];
    case "bar":
      return [`<path fill="${theme.caret}" d="${rectangle(x, y, 2, CELL.height)}"/>`];
    default:
      return [];
  }
}
