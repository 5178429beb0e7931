/** Characters that are drawn, not written, so that they fill their cell: blocks, shades, Braille, Powerline, frames. */
import { boxDrawing } from "./box-drawing.ts";
import { CELL, rectangle } from "./grid.ts";

export interface DrawnGlyph {
  readonly fill: string;
  readonly stroke: string;
  /** How much of the text's colour there is; 1 but for shades. */
  readonly share: number;
}

const { width: W, height: H } = CELL;
const SOLID = { stroke: "", share: 1 } as const;
const HALF = { x: Math.round(W / 2), y: H / 2 } as const;

/** Per quarter: top left, top right, bottom left, bottom right; U+2596 to U+259F. */
const QUARTERS = ["0010", "0001", "1000", "1011", "1001", "1110", "1101", "0100", "0110", "0111"];

export function drawnGlyph(text: string): DrawnGlyph | undefined {
  const code = text.codePointAt(0) ?? 0;
  if (code < 0x2500 || String.fromCodePoint(code).length !== text.length) return undefined;
  const box = boxDrawing(code);
  if (box !== undefined) return { ...box, share: 1 };
  if (code <= 0x259f) return block(code);
  if (code >= 0x2800 && code <= 0x28ff) return { ...SOLID, fill: braille(code - 0x2800) };
  return POWERLINE[code];
}

function block(code: number): DrawnGlyph | undefined {
  const at = code - 0x2580;
  if (at >= 0x11 && at <= 0x13) return { fill: rectangle(0, 0, W, H), stroke: "", share: (at - 0x10) / 4 };
  return { ...SOLID, fill: blockPath(at) };
}

function blockPath(at: number): string {
  if (at === 0) return rectangle(0, 0, W, HALF.y);
  if (at <= 8) {
    const height = Math.round((H * at) / 8);
    return rectangle(0, H - height, W, height);
  }
  if (at <= 0x0f) return rectangle(0, 0, Math.round((W * (16 - at)) / 8), H);
  if (at === 0x10) return rectangle(HALF.x, 0, W - HALF.x, H);
  if (at === 0x14) return rectangle(0, 0, W, Math.round(H / 8));
  if (at === 0x15) return rectangle(W - 1, 0, 1, H);
  const quarters = QUARTERS[at - 0x16] ?? "";
  return Array.from(quarters, (isSet, index) => {
    const [x, y] = [index % 2 === 0 ? 0 : HALF.x, index < 2 ? 0 : HALF.y];
    return isSet === "1" ? rectangle(x, y, x === 0 ? HALF.x : W - HALF.x, HALF.y) : "";
  }).join("");
}

/** Eight dots: the first six column by column, then the two at the bottom. */
function braille(bits: number): string {
  const dots = [...[0, 1, 2].map((row) => [0, row]), ...[0, 1, 2].map((row) => [1, row]), [0, 3], [1, 3]];
  return dots
    .map(([col = 0, row = 0], index) => ((bits >> index) & 1 ? rectangle(1 + col * 4, 2 + row * 4, 2, 2) : ""))
    .join("");
}

/** Separators of Powerline prompts, and the branch and padlock that go with them. */
const POWERLINE: Readonly<Record<number, DrawnGlyph>> = {
  57504: { fill: `${dot(2, 3)}${dot(2, 15)}${dot(7, 6)}`, stroke: "M2 3V15M7 6Q7 10 2 11", share: 1 },
  57506: { fill: rectangle(1, 9, 7, 6), stroke: "M2.5 9V6.5A2 2 0 0 1 6.5 6.5V9", share: 1 },
  57520: { ...SOLID, fill: `M0 0L${W} ${H / 2}L0 ${H}z` },
  57521: { fill: "", stroke: `M0 0L${W - 0.5} ${H / 2}L0 ${H}`, share: 1 },
  57522: { ...SOLID, fill: `M${W} 0L0 ${H / 2}L${W} ${H}z` },
  57523: { fill: "", stroke: `M${W} 0L0.5 ${H / 2}L${W} ${H}`, share: 1 },
  57524: { ...SOLID, fill: `M0 0A${W} ${H / 2} 0 0 1 0 ${H}z` },
  57525: { fill: "", stroke: `M0 0A${W - 0.5} ${H / 2} 0 0 1 0 ${H}`, share: 1 },
  57526: { ...SOLID, fill: `M${W} 0A${W} ${H / 2} 0 0 0 ${W} ${H}z` },
  57527: { fill: "", stroke: `M${W} 0A${W - 0.5} ${H / 2} 0 0 0 ${W} ${H}`, share: 1 },
  57528: { ...SOLID, fill: `M0 0L${W} ${H}H0z` },
  57530: { ...SOLID, fill: `M${W} 0V${H}H0z` },
  57532: { ...SOLID, fill: `M0 0H${W}L0 ${H}z` },
  57534: { ...SOLID, fill: `M0 0H${W}V${H}z` },
};

function dot(x: number, y: number): string {
  return `M${x - 1.5} ${y}a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0z`;
}
