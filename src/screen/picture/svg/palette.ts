/** From a cell's attributes to the two colours that a person sees. */
import { LimpetError } from "../../../base/limpet-error.ts";
import type { Cell, Colour } from "../../snapshot.ts";
import { THEMES, type Theme, type ThemeName } from "./theme.ts";

export interface Paint {
  readonly fg: string;
  readonly bg: string;
}

/** The levels of the colour cube, 16 to 231. */
const LEVELS = [0, 95, 135, 175, 215, 255] as const;
/** The share of the background in the colour of dim text. */
const DIM = 0.4;

export function themeOf(given: ThemeName | Theme = "dark"): Theme {
  const theme = typeof given === "string" ? THEMES[given] : given;
  const colours =
    theme === undefined ? [] : [theme.background, theme.foreground, theme.caret, ...(theme.palette ?? [])];
  if (colours.length === 19 && colours.every((colour) => /^#[0-9a-f]{6}$/iu.test(colour))) return theme;
  throw new LimpetError(
    "BAD_OPTION",
    `The theme is ${JSON.stringify(given)?.slice(0, 80)}. Give "dark", "light", or background, foreground, caret and a palette of 16 colours like #14161b.`,
  );
}

export function paintOf(cell: Cell, theme: Theme): Paint {
  // Bold text in one of the first eight colours is bright: xterm does so, and programs count on it for grey.
  const isBright = cell.bold && typeof cell.fg === "number" && cell.fg < 8;
  const given = isBright ? Number(cell.fg) + 8 : cell.fg;
  const text = colourOf(given, theme, theme.foreground);
  const ground = colourOf(cell.bg, theme, theme.background);
  const [fg, bg] = cell.inverse ? [ground, text] : [text, ground];
  return { fg: cell.dim ? mix(fg, bg, DIM) : fg, bg };
}

export function colourOf(colour: Colour, theme: Theme, otherwise: string): string {
  if (colour === null) return otherwise;
  if (typeof colour !== "number") return hex(colour.r, colour.g, colour.b);
  if (colour < 16) return theme.palette[colour] ?? otherwise;
  if (colour >= 232) return hex(8 + (colour - 232) * 10, 8 + (colour - 232) * 10, 8 + (colour - 232) * 10);
  const at = colour - 16;
  const level = (index: number): number => LEVELS[index % 6] ?? 0;
  return hex(level(Math.floor(at / 36)), level(Math.floor(at / 6)), level(at));
}

/** `share` of the second in the first. */
export function mix(one: string, other: string, share: number): string {
  const part = (at: number): number => {
    const [from, to] = [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return (from ?? 0) * (1 - share) + (to ?? 0) * share;
  };
  return hex(part(1), part(3), part(5));
}

function hex(...parts: readonly number[]): string {
  const digits = parts.map((part) =>
    Math.max(0, Math.min(255, Math.round(part)))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${digits.join("")}`;
}
