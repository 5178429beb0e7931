/**
 * Lines of tables and frames, U+2500 to U+257F, as paths that end exactly at the border of their cell. A font's glyphs
 * leave gaps between rows.
 */
import { CELL, rectangle } from "./grid.ts";

/** Arms to the left, right, top and bottom: 0 none, 1 light, 2 heavy, 3 double; or a word for those that have none. */
const SHAPES: readonly string[] = (
  "1100 2200 0011 0022 h31 h32 v31 v32 h41 h42 v41 v42 0101 0201 0102 0202 " +
  "1001 2001 1002 2002 0110 0210 0120 0220 1010 2010 1020 2020 0111 0211 0121 0112 " +
  "0122 0221 0212 0222 1011 2011 1021 1012 1022 2021 2012 2022 1101 2101 1201 2201 " +
  "1102 2102 1202 2202 1110 2110 1210 2210 1120 2120 1220 2220 1111 2111 1211 2211 " +
  "1121 1112 1122 2121 1221 2112 1212 2221 2212 2122 1222 2222 h21 h22 v21 v22 " +
  "3300 0033 0301 0103 0303 3001 1003 3003 0310 0130 0330 3010 1030 3030 0311 0133 " +
  "0333 3011 1033 3033 3301 1103 3303 3310 1130 3330 3311 1133 3333 arcRD arcLD arcLU " +
  "arcRU slash backslash cross 1000 0010 0100 0001 2000 0020 0200 0002 1200 0012 2100 0021"
).split(" ");

/** The middle line of a cell, one pixel thick, begins here. */
const MIDDLE = { x: Math.floor(CELL.width / 2), y: Math.floor(CELL.height / 2) } as const;

export interface BoxPath {
  readonly fill: string;
  readonly stroke: string;
}

/** Paths inside a cell whose corner is at 0, 0; undefined for other characters. */
export function boxDrawing(code: number): BoxPath | undefined {
  const shape = SHAPES[code - 0x2500];
  if (shape === undefined) return undefined;
  if (/^\d/u.test(shape)) return { fill: arms(shape), stroke: "" };
  if (/^[hv]\d/u.test(shape)) return { fill: dashes(shape), stroke: "" };
  return { fill: "", stroke: STROKES[shape] ?? "" };
}

const { width: W, height: H } = CELL;
const [MX, MY] = [MIDDLE.x + 0.5, MIDDLE.y + 0.5];
const ROUND = W - MX;
const STROKES: Readonly<Record<string, string>> = {
  arcRD: `M${MX} ${H}V${MY + ROUND}A${ROUND} ${ROUND} 0 0 1 ${W} ${MY}`,
  arcLD: `M${MX} ${H}V${MY + MX}A${MX} ${MX} 0 0 0 0 ${MY}`,
  arcLU: `M${MX} 0V${MY - MX}A${MX} ${MX} 0 0 1 0 ${MY}`,
  arcRU: `M${MX} 0V${MY - ROUND}A${ROUND} ${ROUND} 0 0 0 ${W} ${MY}`,
  slash: `M${W} 0L0 ${H}`,
  backslash: `M0 0L${W} ${H}`,
  cross: `M${W} 0L0 ${H}M0 0L${W} ${H}`,
};

function dashes(shape: string): string {
  const [direction, count, weight] = [shape[0], Number(shape[1]), Number(shape[2])];
  const length = direction === "h" ? W : H;
  const [from, thick] = weight === 1 ? [0, 1] : [-1, 3];
  return Array.from({ length: count }, (_, at) => {
    const begin = Math.round((at * length) / count);
    const size = Math.max(1, Math.round(((at + 1) * length) / count) - begin - Math.round(length / count / 3));
    return direction === "h"
      ? rectangle(begin, MIDDLE.y + from, size, thick)
      : rectangle(MIDDLE.x + from, begin, thick, size);
  }).join("");
}

function arms(shape: string): string {
  const [left = 0, right = 0, up = 0, down = 0] = Array.from(shape, Number);
  const across = { middle: MIDDLE.x, thickness: MIDDLE.y, size: W };
  const along = { middle: MIDDLE.y, thickness: MIDDLE.x, size: H };
  const parts: string[] = [];
  for (const [from, to, at, thick] of [
    ...arm({ weight: left, opposite: right, sides: [up, down], side: "before", ...across }),
    ...arm({ weight: right, opposite: left, sides: [up, down], side: "after", ...across }),
  ]) {
    parts.push(rectangle(from, at, to - from, thick));
  }
  for (const [from, to, at, thick] of [
    ...arm({ weight: up, opposite: down, sides: [left, right], side: "before", ...along }),
    ...arm({ weight: down, opposite: up, sides: [left, right], side: "after", ...along }),
  ]) {
    parts.push(rectangle(at, from, thick, to - from));
  }
  return parts.join("");
}

interface Arm {
  readonly weight: number;
  readonly opposite: number;
  /** Weights of the two arms that cross it: the one on its low side, the one on its high side. */
  readonly sides: readonly [number, number];
  readonly side: "before" | "after";
  /** Where along the arm the middle is, where it lies across, and how long the cell is. */
  readonly middle: number;
  readonly thickness: number;
  readonly size: number;
}

type Line = readonly [from: number, to: number, at: number, thick: number];

/**
 * A double arm's lines end where those of the crossing arms do: at the nearer one inside a corner, else at the farther.
 */
function arm({ weight, opposite, sides, side, middle, thickness, size }: Arm): readonly Line[] {
  const reach = (how: "near" | "middle" | "far"): readonly [number, number] => {
    const steps = { near: 0, middle: 1, far: 2 }[how];
    return side === "before" ? [0, middle + steps] : [middle + 1 - steps, size];
  };
  const [low, high] = sides;
  switch (weight) {
    case 0:
      return [];
    case 3:
      return [
        [...reach(doubleReach(low, high)), thickness - 1, 1],
        [...reach(doubleReach(high, low)), thickness + 1, 1],
      ];
    default: {
      const how = singleReach(low, high, opposite);
      return [weight === 1 ? [...reach(how), thickness, 1] : [...reach(how), thickness - 1, 3]];
    }
  }
}

function doubleReach(own: number, other: number): "near" | "middle" | "far" {
  if (own === 3) return "near";
  return other === 3 ? "far" : "middle";
}

function singleReach(low: number, high: number, opposite: number): "near" | "middle" | "far" {
  if (low === 3 && high === 3) return opposite > 0 ? "middle" : "near";
  return Math.max(low, high) >= 2 ? "far" : "middle";
}
