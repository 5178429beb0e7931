import { expect, test } from "vitest";
import { LimpetError } from "../base/limpet-error.ts";
import { DEFAULT_MODES, type TerminalModes } from "../base/terminal-modes.ts";
import { encodeMouse, type MouseEvent } from "./encode-mouse.ts";

const place = { col: 9, row: 4 };
const sgr = (mouse: TerminalModes["mouse"]): TerminalModes => ({ ...DEFAULT_MODES, mouse, mouseEncoding: "sgr" });
const latin1 = (event: MouseEvent, modes: TerminalModes) => Buffer.from(encodeMouse(event, modes)).toString("latin1");

test.each<[string, MouseEvent, string]>([
  ["a click", { kind: "click", ...place }, "\x1b[<0;10;5M\x1b[<0;10;5m"],
  ["a press", { kind: "press", button: "middle", ...place }, "\x1b[<1;10;5M"],
  ["a release", { kind: "release", button: "right", ...place }, "\x1b[<2;10;5m"],
  ["a double click", { kind: "click", count: 2, ...place }, "\x1b[<0;10;5M\x1b[<0;10;5m".repeat(2)],
  ["a move", { kind: "move", ...place }, "\x1b[<35;10;5M"],
  ["a drag", { kind: "move", button: "left", ...place }, "\x1b[<32;10;5M"],
  ["the wheel", { kind: "wheel", direction: "up", count: 2, ...place }, "\x1b[<64;10;5M\x1b[<64;10;5M"],
  ["the wheel, down", { kind: "wheel", direction: "down", ...place }, "\x1b[<65;10;5M"],
  ["a click with keys", { kind: "click", modifiers: ["ctrl", "shift"], ...place }, "\x1b[<20;10;5M\x1b[<20;10;5m"],
])("%s is reported in SGR's encoding", (_what, event, bytes) => {
  expect(latin1(event, sgr("any"))).toBe(bytes);
});

test.each<[TerminalModes["mouseEncoding"], string]>([
  ["default", "\x1b[M \xdf\x21\x1b[M#\xdf\x21"],
  ["utf8", "\x1b[M \xc3\x9f\x21\x1b[M#\xc3\x9f\x21"],
  ["urxvt", "\x1b[32;191;1M\x1b[35;191;1M"],
  ["sgr", "\x1b[<0;191;1M\x1b[<0;191;1m"],
])("a click far to the right is reported in the encoding %s", (mouseEncoding, bytes) => {
  expect(latin1({ kind: "click", col: 190, row: 0 }, { ...DEFAULT_MODES, mouse: "press", mouseEncoding })).toBe(bytes);
});

test("X10 knows presses only, without keys", () => {
  expect(latin1({ kind: "click", modifiers: ["ctrl"], ...place }, { ...DEFAULT_MODES, mouse: "x10" })).toBe(
    "\x1b[M *%",
  );
});

test.each<[MouseEvent, TerminalModes["mouse"], string]>([
  [
    { kind: "click", ...place },
    "none",
    "The program has not asked for mouse events, so it would not receive a click. Use keys, or switch its mouse support on first.",
  ],
  [
    { kind: "move", ...place },
    "drag",
    "The program asked for presses, releases, the wheel and moves with a button held, not for a move. Send what it asked for, or use keys.",
  ],
  [
    { kind: "move", button: "left", ...place },
    "press",
    "The program asked for presses, releases and the wheel only, not for a move with a button held. Send what it asked for, or use keys.",
  ],
  [
    { kind: "wheel", direction: "up", ...place },
    "x10",
    "The program asked for presses of buttons only, not for a wheel. Send what it asked for, or use keys.",
  ],
])("%j is refused where the program asked for %s", (event, mouse, message) => {
  expect(() => encodeMouse(event, sgr(mouse))).toThrow(new LimpetError("MOUSE_OFF", message));
});

test.each<[string, MouseEvent]>([
  ["a column that the encoding cannot say", { kind: "click", col: 223, row: 0 }],
  ["a row outside of every screen", { kind: "click", col: 0, row: 500 }],
  ["half a column", { kind: "click", col: 0.5, row: 0 }],
  ["no clicks", { kind: "click", count: 0, ...place }],
  ["a million steps", { kind: "wheel", direction: "up", count: 1_000_000, ...place }],
  // @ts-expect-error: as a JavaScript caller does
  ["a button that no mouse has", { kind: "press", button: "thumb", ...place }],
  // @ts-expect-error: as a JavaScript caller does
  ["a key that is no modifier", { kind: "press", modifiers: ["hyper"], ...place }],
])("%s is refused", (_what, event) => {
  expect(() => encodeMouse(event, { ...DEFAULT_MODES, mouse: "any" })).toThrow(
    expect.objectContaining({ code: "BAD_OPTION" }),
  );
});

test("the last column that one byte can say is reported", () => {
  expect(latin1({ kind: "press", col: 222, row: 222 }, { ...DEFAULT_MODES, mouse: "press" })).toBe("\x1b[M \xff\xff");
});
