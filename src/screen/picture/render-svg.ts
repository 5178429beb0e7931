/**
 * A snapshot as a picture in SVG: backgrounds, then text, then lines. Text is written in short runs whose length is
 * stated, and everything unusual cell by cell, so that columns line up in whatever font a viewer has.
 */
import type { Snapshot } from "../snapshot.ts";
import { caretPath, drawnCaret } from "./svg/drawn-caret.ts";
import { CELL, FONTS, MARGIN, TITLE_BAR_HEIGHT } from "./svg/grid.ts";
import { backgrounds, drawings, shapeDefinitions } from "./svg/layers.ts";
import { paintedCells } from "./svg/painted-cells.ts";
import { themeOf } from "./svg/palette.ts";
import { type HasGlyph, textRuns } from "./svg/text-runs.ts";
import type { Theme, ThemeName } from "./svg/theme.ts";
import { titleBar } from "./svg/title-bar.ts";

/** Options of `renderSvg`. */
export interface SvgOptions {
  /** The colours that the program leaves to the terminal. Default dark. */
  readonly theme?: ThemeName | Theme;
  /** Shown in a bar on top. Default: no bar. */
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
  snapshot: Pick<Snapshot, "size">,
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
  const drawn = drawings(rows, hasGlyph);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${theme.background}"/>`,
    ...(options.title === undefined ? [] : titleBar(options.title, width, theme)),
    `<g transform="translate(${MARGIN} ${top})" ${FONTS}>`,
    ...backgrounds(rows, theme),
    ...rows.flatMap((row) => textRuns(row, hasGlyph)),
    ...shapeDefinitions(drawn.shapes),
    ...drawn.elements,
    ...thinCaret(snapshot, theme),
    "</g>",
    "</svg>",
  ];
  return { svg: `${parts.join("\n")}\n`, width, height };
}

/** A block is part of its cell. */
function thinCaret(snapshot: Snapshot, theme: Theme): readonly string[] {
  const caret = drawnCaret(snapshot);
  if (caret === undefined || caret.shape === "block") return [];
  return [`<path fill="${theme.caret}" d="${caretPath(caret)}"/>`];
}
