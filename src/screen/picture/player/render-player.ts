/**
 * A recording as one HTML file that plays by itself, with controls. It loads nothing: its script and its style are in
 * the file, and a policy in the file forbids everything else, also what a recording might contain.
 */
import { createHash } from "node:crypto";
import { pictureSize, type SvgOptions } from "../render-svg.ts";
import { largestSize, type Still } from "../still.ts";
import { CELL, FONTS, MARGIN } from "../svg/grid.ts";
import { shapeDefinitions } from "../svg/layers.ts";
import { mix, themeOf } from "../svg/palette.ts";
import { escapeText } from "../svg/svg-text.ts";
import type { Theme } from "../svg/theme.ts";
import { framesOf } from "./frames-of.ts";
import type { Chapter, PlayerContent } from "./player-data.ts";

export interface PlayerOptions extends Pick<SvgOptions, "theme"> {
  readonly title: string;
  readonly totalMs: number;
  readonly chapters: readonly Chapter[];
  /** The program of the player. */
  readonly script: string;
}

export interface PlayerPage {
  readonly html: string;
  readonly width: number;
  readonly height: number;
}

/** What a player shows, for a page that has one. At least one still. */
export function playerContent(
  stills: readonly Still[],
  { theme: name, totalMs, chapters }: Pick<PlayerOptions, "theme" | "totalMs" | "chapters">,
): PlayerContent {
  const { background, caret } = themeOf(name);
  return {
    ...pictureSize({ size: largestSize(stills) }, {}),
    margin: MARGIN,
    background,
    caret,
    shapes: shapeDefinitions(new Map(stills.flatMap((still) => [...still.shapes]))),
    data: { rowHeight: CELL.height, totalMs, chapters, ...framesOf(stills) },
  };
}

/** At least one still. The same stills always give the same text. */
export function renderPlayer(stills: readonly Still[], options: PlayerOptions): PlayerPage {
  const theme = themeOf(options.theme);
  const { script } = options;
  const { width, height, shapes, data } = playerContent(stills, options);
  const style = styleOf(theme, width);
  const title = escapeText(options.title);
  const html = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<main>",
    `<h1>${title}</h1>`,
    `<svg id="screen" role="img" aria-label="Recorded terminal" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${theme.background}"/>`,
    ...shapes,
    `<g id="rows" transform="translate(${MARGIN} ${MARGIN})" ${FONTS}></g>`,
    "</svg>",
    '<div id="controls"></div>',
    "<noscript>This recording needs JavaScript to play.</noscript>",
    "</main>",
    `<script type="application/json" id="recording">${jsonInHtml(data)}</script>`,
    `<script>${script}</script>`,
    "</body>",
    "</html>",
  ];
  return { html: `${html.join("\n")}\n`, width, height };
}

/** Without `<`, nothing in it can end the element that it is in. */
function jsonInHtml(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function policyOf(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
}

function styleOf({ background, foreground, palette, caret }: Theme, width: number): string {
  const [around, edge, quiet] = [0.06, 0.25, 0.7].map((share) => mix(background, foreground, share));
  return [
    `body{margin:0;background:${around};color:${foreground};font:15px/1.5 system-ui,sans-serif}`,
    `main{max-width:${Math.round(width * 1.25)}px;margin:0 auto;padding:12px}`,
    "h1{font-size:1em;font-weight:600;margin:0 0 8px;overflow-wrap:anywhere}",
    `svg{display:block;width:100%;height:auto;border:1px solid ${edge};border-radius:6px}`,
    // The page scales the picture, and a line of one pixel would vanish.
    "defs path{shape-rendering:auto}",
    `.caret{fill:${caret};shape-rendering:crispEdges}`,
    "#controls{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-top:8px}",
    "#controls input{flex:1 1 160px;min-width:0}",
    `button,select{font:inherit;color:inherit;background:${background};border:1px solid ${edge};border-radius:6px;padding:4px 10px}`,
    `:focus-visible{outline:2px solid ${palette[12]};outline-offset:2px}`,
    `output{color:${quiet};font-variant-numeric:tabular-nums}`,
    `ol{flex-basis:100%;margin:4px 0 0;padding-left:0;list-style:none;max-height:14em;overflow:auto}`,
    "ol button{display:block;width:100%;text-align:left;border:0;background:none;overflow-wrap:anywhere}",
    `[aria-current=true]{color:${palette[12]}}`,
  ].join("\n");
}
