/** Sequences whose effect on a screen is compared with another terminal's, on 20 columns and 8 rows. */
export interface ScreenCase {
  readonly name: string;
  readonly input: string;
}

export const CASE_SIZE: { readonly cols: number; readonly rows: number } = { cols: 20, rows: 8 };

const ESC = "\x1b";
const CSI = "\x1b[";
/** Each row with a letter of its own, so that every move can be seen. */
const FILLED: string = Array.from("ABCDEFGH", (letter, row) => `${CSI}${row + 1};1H${letter.repeat(20)}`).join("");
const NUMBERED: string = Array.from({ length: 8 }, (_, row) => `${CSI}${row + 1};1Hline ${row + 1}`).join("");
const DIGITS = "0123456789abcdefghij";

function variants(group: string, inputs: readonly string[]): ScreenCase[] {
  return inputs.map((input, index) => ({ name: `${group} ${index + 1}`, input }));
}

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

const charsets = variants("charset", [
  `${ESC}(0lqqqk${ESC}(B abc`,
  `${ESC}(0abcdefghijklmno${ESC}(B`,
  `${ESC}(0pqrstuvwxyz{|}~${ESC}(B`,
  `${ESC})0a\x0eqx\x0fqx`,
  `${ESC}(0q${CSI}3bX`,
  `${ESC}(0q${ESC}cq`,
  `${ESC}(A#${ESC}(B#`,
]);

const characters: readonly ScreenCase[] = [
  ...variants("wide", [
    "世界",
    "a世b界c",
    `${"a".repeat(19)}世b`,
    `${"世".repeat(11)}`,
    `世界${CSI}1;2HX`,
    `世界${CSI}1;1HX`,
    `世界${CSI}1;3HX`,
    `世界${CSI}1;4HX`,
    `a世b${CSI}1;2H${CSI}P`,
    `a世b${CSI}1;3H${CSI}P`,
    `a世b${CSI}1;3H${CSI}@X`,
    `a世b${CSI}1;3H${CSI}X`,
    `a世b${CSI}1;2H${CSI}K`,
    `a世b${CSI}1;3H${CSI}K`,
    `a世b${CSI}1;3H${CSI}1K`,
    "世\b\bX",
    "世\bX",
    `${CSI}?7l${"a".repeat(19)}世b`,
    `世${CSI}2b`,
    "ｆｕｌｌ한국어",
    "🎉 party 🚀x",
    `${DIGITS}${CSI}1;20H世`,
    `${CSI}4h世界${CSI}1;1HX`,
  ]),
  ...variants("combining", [
    "e\u0301x",
    "a\u0308\u0323b",
    "世\u0301x",
    `${"a".repeat(19)}e\u0301x`,
    "n\u0303\bX",
    "\u0301x",
    "a\u200db",
    "e\u0301\u0302\u0303\u0304x",
    "क्षि x",
  ]),
  ...variants("bytes", [
    "a\x00b\x01c\x7fd",
    "a\x05b",
    "a\u00a0b\u00ad\u00e9",
    "\u2500\u2502\u250c\u2588\u2591",
    "\u20ac\u00df\u03b1\u0416\u05d0\u0e01",
    "a\u009bHb",
  ]),
];

const odd = variants("odd", [
  `${CSI}5\n;5HX`,
  `${CSI}3;\r5HX`,
  `${CSI}3;5\x18HX`,
  `${CSI}3;5\x1aHX`,
  `${CSI}3;5${CSI}2;2HX`,
  `${ESC}${CSI}2;2HX`,
  `${CSI}?99999hX`,
  `${CSI}>0;1;2vX`,
  `${CSI}1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20mX`,
  `${CSI}38;5;196mA${CSI}48;2;1;2;3mB${CSI}mC`,
  `${CSI}4:3mcurly${CSI}4:0m`,
  `a${ESC}]0;title\x07b`,
  `a${ESC}]2;title${ESC}\\b`,
  `a${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\b`,
  `a${ESC}P1$r0m${ESC}\\b`,
  `a${ESC}_apc${ESC}\\b`,
  `a${ESC}^pm${ESC}\\b`,
  `a${ESC}Xsos${ESC}\\b`,
  `a${ESC}#8${CSI}2;2HX`,
  `${FILLED}${ESC}cX`,
  `${FILLED}${CSI}!pX`,
  `${NUMBERED}${CSI}8;1H\n\n\nX`,
  `${CSI}8;1H${Array.from({ length: 12 }, (_, i) => `${i}\r\n`).join("")}X`,
  `a${CSI}6nb`,
  `a${CSI}cb`,
  `${CSI}20habc\ndef${CSI}20l`,
  `${CSI}?5hreverse${CSI}?5l`,
  `${CSI}?25lhidden`,
  `${CSI}8minvisible${CSI}28mseen`,
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
  ...charsets,
  ...characters,
  ...odd,
];
