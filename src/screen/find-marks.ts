/**
 * Finds what stands out on a screen, as a selected item does, and what is invisible. Pure.
 *
 * Programs show a selection in reverse video or on another background. Windows, bars and shadows have backgrounds of
 * their own, too. A selection differs from them in its shape: it is one row high, with other backgrounds above and
 * below.
 */
import type { Look, Run } from "./drawing/cells.ts";
import type { Colour, Mark } from "./snapshot.ts";

interface MarkOptions {
  readonly cols: number;
  readonly isAlternate: boolean;
  /** The text in these columns of a row. */
  readonly textOf: (row: number, from: number, to: number) => string;
}

/** Columns of one row with one background. */
interface Band {
  readonly from: number;
  readonly to: number;
  readonly ground: string;
  readonly isInverse: boolean;
  /** The shadow of a window: all of it is dark text on black. */
  readonly isShadow: boolean;
}

/** Indexes into the palette. Bold turns black into dark grey. */
const BLACK = 0;
const DARK_GREY = 8;
/** A row with more parts is a picture. */
const MOST_BANDS = 64;
/** A row with more parts that are highlighted by colour alone is a picture, too. */
const MOST_BY_COLOUR = 6;
/** A bar with this many parts is a list of keys. */
const PARTS_OF_A_BAR = 3;
/** Rows at the bottom that may be bars. */
const BOTTOM_BARS = 2;
/** The gap between a tag and its text may be this wide. */
const GAP_COLS = 2;

export function findMarks(rows: readonly (readonly Run[])[], options: MarkOptions): Mark[] {
  const bands = rows.map(bandsOf);
  const isPainted = isMostlyPainted(bands, options.cols);
  const facts = { ...options, bands, isPainted };
  return rows.flatMap((runs, row) => {
    const bright = highlightsOf(row, facts).map((band) => trimmed(row, band, options));
    const hidden = runs.filter(({ look }) => isHidden(look)).map((run) => trimmed(row, run, options));
    return [
      ...bright.map((part) => ({ ...part, kind: "highlight" as const })),
      ...hidden.map((part) => ({ ...part, kind: "hidden" as const })),
    ]
      .filter(({ from, to }) => to > from)
      .sort((one, other) => one.from - other.from);
  });
}

/** The background that a person sees: in reverse video, the colour of the text. */
function bandsOf(runs: readonly Run[]): readonly Band[] {
  const bands: Band[] = [];
  for (const { from, to, look } of runs) {
    const ground = groundOf(look);
    if (ground === "") continue;
    const last = bands.at(-1);
    const isShadow = isShadowed(look);
    if (last && last.to === from && last.ground === ground)
      bands[bands.length - 1] = { ...last, to, isShadow: last.isShadow && isShadow };
    else bands.push({ from, to, ground, isInverse: look.inverse, isShadow });
  }
  return bands.length > MOST_BANDS ? [] : bands;
}

function groundOf({ inverse, fg, bg }: Look): string {
  if (inverse) return `inverse ${nameOf(fg)}`;
  return bg === null ? "" : nameOf(bg);
}

/** Text in the shadow of a window is dark grey on black: readable, but the opposite of a highlight. */
function isShadowed({ inverse, fg, bg, bold }: Look): boolean {
  return !inverse && bg === BLACK && (fg === DARK_GREY || (fg === BLACK && bold));
}

function nameOf(colour: Colour): string {
  return typeof colour === "object" && colour !== null ? `${colour.r},${colour.g},${colour.b}` : String(colour);
}

/** More than half of the screen has a background of its own: a full-screen program draws it, on whichever screen. */
function isMostlyPainted(rows: readonly (readonly Band[])[], cols: number): boolean {
  return rows.reduce((sum, bands) => sum + columnsOf(bands), 0) * 2 > rows.length * cols;
}

function columnsOf(bands: readonly Band[]): number {
  return bands.reduce((sum, { from, to }) => sum + to - from, 0);
}

interface MarkFacts extends MarkOptions {
  readonly bands: readonly (readonly Band[])[];
  readonly isPainted: boolean;
}

function highlightsOf(row: number, facts: MarkFacts): readonly Band[] {
  const { bands, cols } = facts;
  const own = bands[row] ?? [];
  const isBar = !facts.isPainted && own.length > 1 && isWhole(own, cols);
  const bright = isBar ? own.filter(({ isInverse }) => isInverse) : own.filter((band) => standsOut(row, band, facts));
  if (bright.length === 0 || bright.filter(({ isInverse }) => !isInverse).length > MOST_BY_COLOUR) return [];
  const isAtEdge = row === 0 || row >= bands.length - BOTTOM_BARS;
  if (isAtEdge && (isWhole(bright, cols) || bright.length >= PARTS_OF_A_BAR)) return [];
  return joined(bright, (from, to) => facts.textOf(row, from, to));
}

function isWhole(bands: readonly Band[], cols: number): boolean {
  return columnsOf(bands) >= cols;
}

/** One row high. On a plain screen, a bar above or below is a separate thing, whatever its colour. */
function standsOut(row: number, band: Band, { bands, cols, isPainted, isAlternate }: MarkFacts): boolean {
  if (band.isInverse) return true;
  if (band.isShadow) return false;
  if (!isAlternate && !isPainted) return false;
  const isPart = band.to - band.from < cols;
  return [bands[row - 1] ?? [], bands[row + 1] ?? []].every((beside) => {
    if (isPart && !isPainted && isWhole(beside, cols)) return true;
    return columnsShared(beside, band) * 2 < band.to - band.from;
  });
}

function columnsShared(bands: readonly Band[], { from, to, ground }: Band): number {
  return bands
    .filter((band) => band.ground === ground)
    .reduce((sum, band) => sum + Math.max(0, Math.min(to, band.to) - Math.max(from, band.from)), 0);
}

/** Joins parts with the same background and a small gap between them, such as a tag and its text. */
function joined(bands: readonly Band[], textOf: (from: number, to: number) => string): readonly Band[] {
  const joint: Band[] = [];
  for (const band of bands) {
    const last = joint.at(-1);
    const isPart = last !== undefined && last.ground === band.ground && band.from - last.to <= GAP_COLS;
    if (last && isPart && textOf(last.to, band.from).trim() === "") joint[joint.length - 1] = { ...last, to: band.to };
    else joint.push(band);
  }
  return joint;
}

/** Text in the colour of its background is invisible; bold makes the eight dark colours bright. */
function isHidden({ invisible, fg, bg, bold }: Look): boolean {
  if (invisible) return true;
  const isBrightened = bold && typeof fg === "number" && fg < 8;
  return fg !== null && bg !== null && !isBrightened && nameOf(fg) === nameOf(bg);
}

/** Without the blanks at its ends; empty if there is nothing else. Columns count wide characters twice. */
function trimmed(row: number, { from, to }: { readonly from: number; readonly to: number }, { textOf }: MarkOptions) {
  let start = from;
  let end = to;
  while (start < end && textOf(row, start, start + 1).trim() === "" && textOf(row, start, end).startsWith(" ")) start++;
  while (end > start && textOf(row, end - 1, end) === " ") end--;
  const first = textOf(row, 0, start).length;
  return { row, from: start, to: end, start: first, end: first + textOf(row, start, end).length };
}
