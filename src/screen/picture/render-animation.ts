/**
 * Stills as one SVG document that plays by itself, without a script.
 *
 * Each row of the screen is a strip of all that it ever shows, of which one part lies in the picture and the others
 * beside it; CSS moves the strip. So a still costs only what has changed, and what it shows again costs a few bytes.
 * At rest, where motion is not wanted or not known, a strip shows what the last still has.
 */
import { Keyframes, type Place } from "./keyframes.ts";
import { pictureSize, type SvgDocument, type SvgOptions } from "./render-svg.ts";
import { largestSize, type Still } from "./still.ts";
import { caretPath, type DrawnCaret } from "./svg/drawn-caret.ts";
import { CELL, FONTS, MARGIN, TITLE_BAR_HEIGHT } from "./svg/grid.ts";
import { shapeDefinitions } from "./svg/layers.ts";
import { themeOf } from "./svg/palette.ts";
import { titleBar } from "./svg/title-bar.ts";

export interface AnimationOptions extends SvgOptions {
  /** From the beginning of the first still to the end of the last. */
  readonly totalMs: number;
  /** Play it once and stay at the last still. Default: again and again. */
  readonly once?: boolean;
}

/** A part of the picture that moves by itself. */
interface Track {
  readonly slots: readonly Slot[];
  /** Per still. */
  readonly places: readonly Place[];
}

interface Slot extends Place {
  readonly content: string;
}

/** Parts of a strip side by side; then the next ones below. Far from its beginning, a browser would lose precision. */
const SLOTS_A_LINE = 64;
const REST: Place = { x: 0, y: 0 };

/** At least one still. The same stills always give the same text. */
export function renderAnimation(stills: readonly Still[], options: AnimationOptions): SvgDocument {
  const theme = themeOf(options.theme);
  const size = largestSize(stills);
  const picture = pictureSize({ size }, options);
  const { width, height } = picture;
  const top = MARGIN + (options.title === undefined ? 0 : TITLE_BAR_HEIGHT);
  const rows = Array.from({ length: size.rows }, (_, row) => row);
  const rowTracks = (kind: "grounds" | "texts"): readonly Track[] =>
    rows.map((row) =>
      strip(
        stills.map((still) => still[kind][row] ?? ""),
        { row, width, height },
      ),
    );
  const caretTracks = (isBelow: boolean): readonly Track[] =>
    carets(stills, { fill: theme.caret, away: -2 * width }).filter(({ shape }) => (shape === "block") === isBelow);
  const tracks = [...rowTracks("grounds"), ...caretTracks(true), ...rowTracks("texts"), ...caretTracks(false)];
  const keyframes = new Keyframes(
    stills.map(({ atMs }) => atMs),
    options.totalMs,
  );
  const shared = sharedContents(tracks);
  const moving = tracks.flatMap((track) => drawTrack(track, keyframes, shared));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    ...styles(keyframes, options),
    `<rect width="${width}" height="${height}" fill="${theme.background}"/>`,
    ...(options.title === undefined ? [] : titleBar(options.title, width, theme)),
    // A browser also shows what lies beside the outermost picture, but not what lies beside an inner one.
    `<svg width="${width}" height="${height}">`,
    `<g transform="translate(${MARGIN} ${top})" ${FONTS}>`,
    ...shapeDefinitions(new Map(stills.flatMap(({ shapes }) => [...shapes]))),
    ...definitions(shared),
    ...moving,
    "</g>",
    "</svg>",
    "</svg>",
  ];
  return { svg: `${parts.join("\n")}\n`, width, height };
}

function styles(keyframes: Keyframes, { totalMs, once = false }: AnimationOptions): readonly string[] {
  const css = keyframes.css();
  if (css.length === 0) return [];
  // A step that jumps at its end: each place is kept until the next one is due.
  const timing = `${Number((totalMs / 1000).toFixed(3))}s steps(1) ${once ? "1" : "infinite"}`;
  return [
    "<style>",
    `.m{animation:${timing}}`,
    ...css,
    "@media(prefers-reduced-motion:reduce){.m{animation:none}}",
    "</style>",
  ];
}

interface StripPlace {
  readonly row: number;
  /** Of the picture, beyond which nothing is seen. */
  readonly width: number;
  readonly height: number;
}

function strip(contents: readonly string[], { row, width, height }: StripPlace): Track {
  const slots = new Map<string, Slot>();
  for (const content of [contents.at(-1) ?? "", ...contents]) {
    if (slots.has(content)) continue;
    const x = (slots.size % SLOTS_A_LINE) * width;
    const y = Math.floor(slots.size / SLOTS_A_LINE) * height;
    slots.set(content, { content, x, y });
  }
  const places = contents.map((content) => {
    const { x, y } = slots.get(content) ?? REST;
    return { x: 0 - x, y: 0 - y };
  });
  return { slots: [...slots.values()].map((slot) => ({ ...slot, y: slot.y + row * CELL.height })), places };
}

interface CaretLook {
  readonly fill: string;
  /** Where it is not seen. */
  readonly away: number;
}

type CaretTrack = Track & Pick<DrawnCaret, "shape">;

/** One for each shape that there is. */
function carets(stills: readonly Still[], { fill, away }: CaretLook): readonly CaretTrack[] {
  const kindOf = (caret: DrawnCaret | undefined): string => `${caret?.shape} ${caret?.cols}`;
  const kinds = new Map(stills.flatMap(({ caret }) => (caret === undefined ? [] : [[kindOf(caret), caret] as const])));
  return [...kinds].map(([kind, { shape, cols }]) => {
    const placeOf = ({ caret }: Still): Place =>
      caret !== undefined && kindOf(caret) === kind
        ? { x: caret.col * CELL.width, y: caret.row * CELL.height }
        : { x: away, y: 0 };
    const places = stills.map(placeOf);
    const rest = places.at(-1) ?? REST;
    const content = `<path fill="${fill}" shape-rendering="crispEdges" d="${caretPath({ shape, cols, row: 0, col: 0 })}"/>`;
    return {
      shape,
      slots: [{ content, ...rest }],
      places: places.map(({ x, y }) => ({ x: x - rest.x, y: y - rest.y })),
    };
  });
}

/** The content that occurs in more than one place, with an id for each. */
function sharedContents(tracks: readonly Track[]): ReadonlyMap<string, string> {
  const seen = new Set<string>();
  const shared = new Map<string, string>();
  for (const { content } of tracks.flatMap(({ slots }) => slots)) {
    if (seen.has(content) && content !== "" && !shared.has(content)) shared.set(content, `r${shared.size}`);
    seen.add(content);
  }
  return shared;
}

function definitions(shared: ReadonlyMap<string, string>): readonly string[] {
  if (shared.size === 0) return [];
  return ["<defs>", ...[...shared].map(([content, id]) => `<g id="${id}">${content}</g>`), "</defs>"];
}

function drawTrack(
  { slots, places }: Track,
  keyframes: Keyframes,
  shared: ReadonlyMap<string, string>,
): readonly string[] {
  const drawn = slots.flatMap(({ content, x, y }) => {
    if (content === "") return [];
    const id = shared.get(content);
    if (id !== undefined) return [`<use href="#${id}" x="${x}" y="${y}"/>`];
    return [x === 0 && y === 0 ? content : `<g transform="translate(${x} ${y})">${content}</g>`];
  });
  if (drawn.length === 0) return [];
  const name = keyframes.name(places);
  return name === undefined ? drawn : [`<g class="m ${name}">`, ...drawn, "</g>"];
}
