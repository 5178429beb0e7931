/** A bar on top of a picture, with a text that may come from the program. */
import { CELL, FONT_SIZE, MARGIN, TITLE_BAR_HEIGHT } from "./grid.ts";
import { mix } from "./palette.ts";
import { escapeText } from "./svg-text.ts";
import type { Theme } from "./theme.ts";

export function titleBar(title: string, width: number, theme: Theme): readonly string[] {
  const bar = mix(theme.background, theme.foreground, 0.12);
  const text = mix(theme.background, theme.foreground, 0.75);
  const most = Math.max(1, Math.floor((width - 2 * MARGIN) / CELL.width));
  const characters = [...title.slice(0, 4 * most)];
  const shown = characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
  return [
    `<rect width="${width}" height="${TITLE_BAR_HEIGHT}" fill="${bar}"/>`,
    `<text x="${width / 2}" y="19" fill="${text}" text-anchor="middle" font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="${FONT_SIZE - 2}">${escapeText(shown)}</text>`,
  ];
}
