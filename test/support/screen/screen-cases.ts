/** Sequences whose effect on a screen is compared with another terminal's, on 20 columns and 8 rows. */
import { CHARACTER_CASES, CHARSET_CASES, ODD_CASES } from "./character-cases.ts";
import { CSI, DIGITS, ESC, FILLED, NUMBERED, type ScreenCase, variants } from "./screen-case.ts";

const COUNTS = ["", "0", "1", "2", "5", "30"] as const;

const movement: readonly ScreenCase[] = [
  ...["A", "B", "C", "D", "E", "F", "a", "e"].flatMap((final) =>
    COUNTS.map((count) => ({
      name: `move ${final} by ${count || "none"}`,
      input: `${CSI}4;10H${CSI}${count}${final}X`,
    })),
  ),
  ...["G", "`", "d"].flatMap((final) =>
    ["", "1", "7", "50"].map((to) => ({
      name: `go ${final} ${to || "none"}`,
      input: `${CSI}3;5H${CSI}${to}${final}X`,
    })),
  ),
  ...variants("go to", [
    `${CSI}HX`,
    `${CSI}8;20HX`,
    `${CSI}99;99HX`,
    `${CSI};5HX`,
    `${CSI}5;HX`,
    `${CSI}3;4fX`,
    `${CSI}0;0HX`,
    `${CSI}2;3;4HX`,
  ]),
  ...variants("backspace", ["abc\bX", "\b\bX", `${DIGITS}\bX`, `${DIGITS}k\b\bX`, "ab\b\b\b\bX"]),
  ...variants("line ends", ["a\nb\rc", "a\r\nb\r\n\r\nc", "a\x0bb\x0cc", `a${ESC}Eb`, `a${ESC}Db${ESC}Mc`]),
];

const wrapping = variants("wrap", [
  `${DIGITS}k`,
  `${DIGITS}\r\nk`,
  `${DIGITS}\rX`,
  `${DIGITS}${CSI}1CX`,
  `${DIGITS}${CSI}K`,
  `${DIGITS}${CSI}31mX`,
  `${CSI}?7l${DIGITS}klm`,
  `${CSI}?7l${DIGITS}klm${CSI}?7hno`,
  `${DIGITS}`.repeat(9),
  `${CSI}8;1H${DIGITS}${DIGITS}`,
  `${CSI}8;20Hxy`,
  `${DIGITS}${ESC}7${CSI}H${ESC}8X`,
  `${DIGITS}\tX`,
  `${DIGITS}\nX`,
  `${DIGITS}${CSI}AX`,
  `${DIGITS}${CSI}PX`,
  `${DIGITS}${CSI}@X`,
  `${DIGITS}${CSI}J`,
]);

const tabs = variants("tab", [
  "a\tb\tc",
  "\t\t\tX",
  `${CSI}3g\tX`,
  `${CSI}3g${CSI}1;4H${ESC}H${CSI}1;11H${ESC}H\ra\tb\tc`,
  `${CSI}1;9H${CSI}g\ra\tb`,
  `${CSI}2Ix`,
  `${CSI}1;20H${CSI}Zx`,
  `${CSI}1;20H${CSI}2Zx`,
  `${CSI}1;20H${CSI}9Zx`,
  `${CSI}99Ix`,
  `${CSI}1;5H${CSI}0Ix`,
]);

const erasing: readonly ScreenCase[] = [
  ...["", "0", "1", "2"].flatMap((how) => [
    { name: `erase in display ${how || "none"}`, input: `${FILLED}${CSI}4;10H${CSI}${how}JX` },
    { name: `erase in line ${how || "none"}`, input: `${FILLED}${CSI}4;10H${CSI}${how}KX` },
  ]),
  ...COUNTS.map((count) => ({ name: `erase chars ${count || "none"}`, input: `${DIGITS}${CSI}1;5H${CSI}${count}XY` })),
  ...COUNTS.map((count) => ({ name: `delete chars ${count || "none"}`, input: `${DIGITS}${CSI}1;5H${CSI}${count}PY` })),
  ...COUNTS.map((count) => ({ name: `insert chars ${count || "none"}`, input: `${DIGITS}${CSI}1;5H${CSI}${count}@Y` })),
  ...COUNTS.map((count) => ({
    name: `insert lines ${count || "none"}`,
    input: `${NUMBERED}${CSI}3;5H${CSI}${count}LX`,
  })),
  ...COUNTS.map((count) => ({
    name: `delete lines ${count || "none"}`,
    input: `${NUMBERED}${CSI}3;5H${CSI}${count}MX`,
  })),
  ...COUNTS.map((count) => ({ name: `scroll up ${count || "none"}`, input: `${NUMBERED}${CSI}3;5H${CSI}${count}SX` })),
  ...COUNTS.map((count) => ({
    name: `scroll down ${count || "none"}`,
    input: `${NUMBERED}${CSI}3;5H${CSI}${count}TX`,
  })),
  ...COUNTS.map((count) => ({ name: `repeat ${count || "none"}`, input: `ab${CSI}${count}bY` })),
  ...variants("insert mode", [
    `${DIGITS}${CSI}1;5H${CSI}4hXYZ${CSI}4lW`,
    `${CSI}4h${DIGITS}${CSI}1;1Hxy`,
    `${CSI}4h${DIGITS}klm`,
  ]),
];

const regions = variants("region", [
  `${NUMBERED}${CSI}3;6rX`,
  `${NUMBERED}${CSI}3;6r${CSI}6;1H\nX`,
  `${NUMBERED}${CSI}3;6r${CSI}6;1H\n\n\n\n\nX`,
  `${NUMBERED}${CSI}3;6r${CSI}3;1H${ESC}MX`,
  `${NUMBERED}${CSI}3;6r${CSI}8;1H\nX`,
  `${NUMBERED}${CSI}3;6r${CSI}1;1H${ESC}MX`,
  `${NUMBERED}${CSI}3;6r${CSI}2SX`,
  `${NUMBERED}${CSI}3;6r${CSI}2TX`,
  `${NUMBERED}${CSI}3;6r${CSI}4;1H${CSI}LX`,
  `${NUMBERED}${CSI}3;6r${CSI}4;1H${CSI}9MX`,
  `${NUMBERED}${CSI}3;6r${CSI}1;1H${CSI}LX`,
  `${NUMBERED}${CSI}3;6r${CSI}8;1H${CSI}MX`,
  `${NUMBERED}${CSI}3;6r${CSI}4;1H${CSI}20AX`,
  `${NUMBERED}${CSI}3;6r${CSI}4;1H${CSI}20BX`,
  `${NUMBERED}${CSI}6;3rX`,
  `${NUMBERED}${CSI}4;4r${CSI}4;1H\nX`,
  `${NUMBERED}${CSI}3;6r${CSI}r${CSI}8;1H\nX`,
  `${NUMBERED}${CSI}3;99r${CSI}8;1H\nX`,
  `${NUMBERED}${CSI}3;6r${CSI}6;19Hwxyz`,
  `${NUMBERED}${CSI}3;6r${CSI}6;1H${ESC}DX${ESC}EY`,
  `${NUMBERED}${CSI}2;7r${CSI}7;1Ha\r\nb\r\nc\r\nd`,
  `${NUMBERED}${CSI}1;4r${CSI}4;1Ha\r\nb\r\nc`,
]);

const origin = variants("origin", [
  `${NUMBERED}${CSI}3;6r${CSI}?6hX`,
  `${NUMBERED}${CSI}3;6r${CSI}?6h${CSI}2;3HX`,
  `${NUMBERED}${CSI}3;6r${CSI}?6h${CSI}99;99HX`,
  `${NUMBERED}${CSI}3;6r${CSI}?6h${CSI}3dX`,
  `${NUMBERED}${CSI}3;6r${CSI}?6h${CSI}2;2H${CSI}?6lX`,
  `${NUMBERED}${CSI}3;6r${CSI}?6h${CSI}20AX`,
  `${NUMBERED}${CSI}3;6r${CSI}?6h${CSI}4;1H\nX`,
]);

const saving = variants("save", [
  `${CSI}3;4H${ESC}7${CSI}HA${ESC}8B`,
  `${CSI}3;4H${CSI}s${CSI}HA${CSI}uB`,
  `${ESC}8X`,
  `${CSI}3;4H${ESC}7${CSI}HA${ESC}8B${CSI}H${ESC}8C`,
  `${CSI}3;6r${CSI}?6h${CSI}2;2H${ESC}7${CSI}?6l${CSI}HA${ESC}8B`,
  `${ESC}(0${ESC}7${ESC}(B${CSI}5;5H${ESC}8q`,
  `${CSI}8;20H${ESC}7${CSI}H${ESC}8XY`,
]);

const alternate = variants("alternate", [
  `main${CSI}?1049halt`,
  `main${CSI}?1049halt${CSI}?1049lX`,
  `main${CSI}?47halt${CSI}?47lX`,
  `main${CSI}?1047halt${CSI}?1047lX`,
  `${NUMBERED}${CSI}?1049h${CSI}Hx${CSI}?1049l${CSI}?1049hy`,
  `${NUMBERED}${CSI}4;4H${CSI}?1049h${CSI}8;8Hz${CSI}?1049lX`,
  `${CSI}?1049h${NUMBERED}\nX`,
  `${CSI}?1049h${CSI}3;6r${NUMBERED}${CSI}?1049lX`,
  `a${CSI}?1049h${CSI}?1049hb${CSI}?1049lc`,
  `${CSI}?1049lX`,
]);

export const SCREEN_CASES: readonly ScreenCase[] = [
  ...movement,
  ...wrapping,
  ...tabs,
  ...erasing,
  ...regions,
  ...origin,
  ...saving,
  ...alternate,
  ...CHARSET_CASES,
  ...CHARACTER_CASES,
  ...ODD_CASES,
];
