/**
 * What a terminal shows of a sequence, as a real xterm (379) showed it on 20 columns and 8 rows. Cases in which
 * terminals and the library that we draw with have differed.
 */
import type { Cell } from "../../../src/screen/snapshot.ts";

export interface GridCase {
  readonly name: string;
  readonly input: string;
  /** The rows, without the blank ones at the end. */
  readonly lines: readonly string[];
  /** Row and column from 0; column 20 is behind the last one. */
  readonly caret: readonly [number, number];
  /** Of the cells in these places of the grid. */
  readonly looks?: readonly { readonly at: readonly [number, number]; readonly look: Partial<Cell> }[];
}

const ESC = "\x1b";
const CSI = "\x1b[";
const DIGITS = "0123456789abcdefghij";
const NUMBERED: string = Array.from({ length: 8 }, (_, row) => `${CSI}${row + 1};1Hline ${row + 1}`).join("");
const REGION: string = `${NUMBERED}${CSI}3;6r${CSI}?6h`;
const E: readonly string[] = Array.from({ length: 8 }, () => "E".repeat(20));

/** The numbered lines, with others in place of some of them. */
function numbered(others: Readonly<Record<number, string>>): readonly string[] {
  return Array.from({ length: 8 }, (_, row) => others[row + 1] ?? `line ${row + 1}`);
}

export const GRID_CASES: readonly GridCase[] = [
  {
    name: "DECSC and DECRC keep a pending wrap",
    input: `${DIGITS}${ESC}7${CSI}H${ESC}8X`,
    lines: [DIGITS, "X"],
    caret: [1, 1],
  },
  {
    name: "SCOSC and SCORC keep a pending wrap",
    input: `${DIGITS}${CSI}s${CSI}H${CSI}uX`,
    lines: [DIGITS, "X"],
    caret: [1, 1],
  },
  {
    name: "mode 1049 keeps a pending wrap of the main screen",
    input: `${DIGITS}${CSI}?1049hzz${CSI}?1049lX`,
    lines: [DIGITS, "X"],
    caret: [1, 1],
  },
  {
    name: "mode 1048 keeps a pending wrap",
    input: `${DIGITS}${CSI}?1048h${CSI}H${CSI}?1048lX`,
    lines: [DIGITS, "X"],
    caret: [1, 1],
  },
  {
    name: "a saved caret stays in its row when the text scrolls",
    input: `${CSI}5;3H${ESC}7${CSI}8;1H\n\n\n${ESC}8X`,
    lines: ["", "", "", "", "  X"],
    caret: [4, 3],
  },
  {
    name: "a saved caret behind the last column stays in its row, too",
    input: `${CSI}8;20Hx${ESC}7\n\n${ESC}8y`,
    lines: ["", "", "", "", "                   x", "", "", "y"],
    caret: [7, 1],
  },
  {
    name: "DECRC restores origin mode",
    input: `${REGION}${CSI}2;2H${ESC}7${CSI}?6l${CSI}HA${ESC}8B${CSI}1;5HC`,
    lines: numbered({ 1: "Aine 1", 3: "lineC3", 4: "lBne 4" }),
    caret: [2, 5],
  },
  {
    name: "DECRC restores the absence of origin mode",
    input: `${NUMBERED}${CSI}3;6r${CSI}4;4H${ESC}7${CSI}?6h${ESC}8B${CSI}1;5HC`,
    lines: numbered({ 1: "lineC1", 4: "linB 4" }),
    caret: [0, 5],
  },
  {
    name: "DECRC without DECSC leaves origin mode and goes home",
    input: `${REGION}${ESC}8B${CSI}2;5HC`,
    lines: numbered({ 1: "Bine 1", 2: "lineC2" }),
    caret: [1, 5],
  },
  {
    name: "DECRC in origin mode goes to the saved row, although the region is another",
    input: `${CSI}3;6r${CSI}?6h${CSI}2;2H${ESC}7${CSI}?6l${CSI}5;7r${ESC}8X`,
    lines: ["", "", "", " X"],
    caret: [3, 2],
  },
  {
    name: "DECSTR forgets the saved caret",
    input: `${CSI}4;4H${ESC}7${CSI}!p${ESC}8X`,
    lines: ["X"],
    caret: [0, 1],
  },
  {
    name: "DECRC after DECSTR leaves origin mode",
    input: `${CSI}!p${REGION}${ESC}8X${CSI}2;5HC`,
    lines: numbered({ 1: "Xine 1", 2: "lineC2" }),
    caret: [1, 5],
  },
  {
    name: "DECRC restores the character set",
    input: `${ESC}(0${ESC}7${ESC}(B${CSI}5;5H${ESC}8q`,
    lines: ["─"],
    caret: [0, 1],
  },
  {
    name: "CUF in origin mode stays in its row",
    input: `${REGION}${CSI}2;2H${CSI}3CX`,
    lines: numbered({ 4: "lineX4" }),
    caret: [3, 5],
  },
  {
    name: "CUU in origin mode counts from the caret",
    input: `${REGION}${CSI}3;2H${CSI}1AX`,
    lines: numbered({ 4: "lXne 4" }),
    caret: [3, 2],
  },
  {
    name: "CUD in origin mode stops at the end of the region",
    input: `${REGION}${CSI}2;2H${CSI}20BX`,
    lines: numbered({ 6: "lXne 6" }),
    caret: [5, 2],
  },
  {
    name: "CHA in origin mode stays in its row",
    input: `${REGION}${CSI}2;2H${CSI}9GX`,
    lines: numbered({ 4: "line 4  X" }),
    caret: [3, 9],
  },
  {
    name: "HPA in origin mode stays in its row",
    input: `${REGION}${CSI}2;2H${CSI}9\`X`,
    lines: numbered({ 4: "line 4  X" }),
    caret: [3, 9],
  },
  {
    name: "HPR and VPR in origin mode count from the caret",
    input: `${REGION}${CSI}2;2H${CSI}3a${CSI}1eX`,
    lines: numbered({ 5: "lineX5" }),
    caret: [4, 5],
  },
  {
    name: "CNL and CPL in origin mode count from the caret",
    input: `${REGION}${CSI}2;2H${CSI}1EX${CSI}2FY`,
    lines: numbered({ 3: "Yine 3", 5: "Xine 5" }),
    caret: [2, 1],
  },
  {
    name: "_ is a blank in line-drawing mode",
    input: `${ESC}(0a_b${ESC}(B_`,
    lines: ["▒ ␉_"],
    caret: [0, 4],
  },
  {
    name: "_ is a blank in line-drawing mode of G1, too",
    input: `${ESC})0\x0ex_x\x0f_`,
    lines: ["│ │_"],
    caret: [0, 4],
  },
  {
    name: "DECALN has no colours, and leaves those of later text",
    input: `${CSI}31;44;1m${ESC}#8X`,
    lines: [`X${"E".repeat(19)}`, ...E.slice(1)],
    caret: [0, 1],
    looks: [
      { at: [0, 0], look: { fg: 1, bg: 4, bold: true } },
      { at: [0, 1], look: { fg: null, bg: null, bold: false } },
      { at: [7, 19], look: { fg: null, bg: null, bold: false } },
    ],
  },
  {
    name: "DECALN resets the region",
    input: `${CSI}3;6r${ESC}#8${CSI}8;1H\nX`,
    lines: [...E.slice(1), "X"],
    caret: [7, 1],
  },
  {
    name: "without autowrap, the next character wraps once autowrap is on again",
    input: `${CSI}?7l${DIGITS}klm${CSI}?7hno`,
    lines: ["0123456789abcdefghim", "no"],
    caret: [1, 2],
  },
  {
    name: "colours with colons may leave out the colour space",
    input: `${CSI}38:2:255:10:20mA${CSI}48:2:1:2:3;1mB${CSI}0;38:2::4:5:6mC${CSI}0;38;2;7;8;9mD`,
    lines: ["ABCD"],
    caret: [0, 4],
    looks: [
      { at: [0, 0], look: { fg: { r: 255, g: 10, b: 20 }, bg: null } },
      { at: [0, 1], look: { fg: { r: 255, g: 10, b: 20 }, bg: { r: 1, g: 2, b: 3 }, bold: true } },
      { at: [0, 2], look: { fg: { r: 4, g: 5, b: 6 }, bg: null } },
      { at: [0, 3], look: { fg: { r: 7, g: 8, b: 9 }, bg: null } },
    ],
  },
  {
    name: "a colour of the palette may have colons",
    input: `${CSI}38:5:196mA${CSI}48:5:21mB`,
    lines: ["AB"],
    caret: [0, 2],
    looks: [
      { at: [0, 0], look: { fg: 196, bg: null } },
      { at: [0, 1], look: { fg: 196, bg: 21 } },
    ],
  },
  {
    name: "underlines have a colour of their own until SGR 59",
    input: `${CSI}31;4;58:2:255:255:255mA${CSI}58;5;2mB${CSI}59mC${CSI}58:2::1:2:3mD`,
    lines: ["ABCD"],
    caret: [0, 4],
    looks: [
      { at: [0, 0], look: { underlineColor: { r: 255, g: 255, b: 255 } } },
      { at: [0, 1], look: { underlineColor: 2 } },
      { at: [0, 2], look: { fg: 1, underline: "single", underlineColor: undefined } as unknown as Partial<Cell> },
      { at: [0, 3], look: { underlineColor: { r: 1, g: 2, b: 3 } } },
    ],
  },
];
