/** A snapshot as a picture in PNG. */

import { MAX_PICTURE_PIXELS, MAX_PICTURE_SCALE } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Snapshot } from "../snapshot.ts";
import { encodePng } from "./png/encode-png.ts";
import { fontsFor } from "./png/fonts-for.ts";
import { renderer } from "./png/renderer.ts";
import { drawSvg, pictureSize, type SvgOptions } from "./render-svg.ts";
import { drawnGlyph } from "./svg/drawn-glyph.ts";
import { paintedCells } from "./svg/painted-cells.ts";
import { themeOf } from "./svg/palette.ts";
import { cellText } from "./svg/svg-text.ts";

/** Options of `renderPng`. */
export interface PngOptions extends SvgOptions {
  /** Pixels per pixel of the SVG, in which a cell is 9 × 18. Default 1; 2 gives sharp text on high-density displays. */
  readonly scale?: number;
}

/**
 * The screen as a person sees it, as a PNG file. Characters that neither our font nor one of the system has are drawn
 * as boxes. Needs the optional package @resvg/resvg-wasm; without it, `PICTURE_UNAVAILABLE`.
 */
export async function renderPng(snapshot: Snapshot, options: PngOptions = {}): Promise<Uint8Array> {
  const { scale = 1 } = options;
  const theme = themeOf(options.theme);
  if (!(scale > 0 && scale <= MAX_PICTURE_SCALE)) {
    throw new LimpetError("BAD_OPTION", `scale is ${scale}. Give a number above 0, up to ${MAX_PICTURE_SCALE}.`);
  }
  const { width, height } = pictureSize(snapshot, options);
  const pixels = Math.ceil(width * scale) * Math.ceil(height * scale);
  if (pixels > MAX_PICTURE_PIXELS) {
    throw new LimpetError(
      "BAD_OPTION",
      `The picture would have ${pixels} pixels, more than ${MAX_PICTURE_PIXELS}. Give a smaller scale, or ask for SVG.`,
    );
  }
  const written = paintedCells(snapshot, theme)
    .flat()
    .filter(({ text }) => text !== "" && drawnGlyph(text) === undefined)
    .map(({ text }) => cellText(text));
  const fonts = await fontsFor(new Set([...written, ...(options.title ?? "")]));
  const { svg } = drawSvg(snapshot, options, fonts.hasGlyph);
  return await encodePng(await renderer.rasterize(svg, { fonts: fonts.files, scale }));
}
