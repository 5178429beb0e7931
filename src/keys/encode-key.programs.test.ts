import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { needs } from "../../test/support/needs.ts";
import { DEFAULT_MODES } from "../base/terminal-modes.ts";
import { encodeKey } from "./encode-key.ts";

/** terminfo's names for keys in the modes that `smkx` sets, which is when programs look for them. */
const TERMINFO: Readonly<Record<string, string>> = {
  kcuu1: "Up",
  kcud1: "Down",
  kcub1: "Left",
  kcuf1: "Right",
  khome: "Home",
  kend: "End",
  kich1: "Insert",
  kdch1: "Delete",
  kpp: "PageUp",
  knp: "PageDown",
  kbs: "Backspace",
  kcbt: "Shift+Tab",
  kent: "KPEnter",
  ka1: "KP7",
  ka3: "KP9",
  kb2: "KP5",
  kc1: "KP1",
  kc3: "KP3",
  kpADD: "KPPlus",
  kpDIV: "KPDivide",
  kUP: "Shift+Up",
  kDC5: "Ctrl+Delete",
  kHOM7: "Ctrl+Alt+Home",
  kPRV3: "Alt+PageUp",
  ...Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`kf${index + 1}`, `F${index + 1}`])),
};

test.skipIf(!needs("infocmp"))("every key agrees with terminfo's description of xterm-256color", () => {
  const modes = { ...DEFAULT_MODES, applicationCursor: true, applicationKeypad: true };
  const described = execFileSync("infocmp", ["-x", "-1", "xterm-256color"], { encoding: "utf8" });
  const read = (name: string) => new RegExp(`^\\t${name}=(.*),$`, "mu").exec(described)?.[1];
  const printed = (bytes: string) => bytes.replace(/\x1b/gu, "\\E").replace(/\x7f/gu, "^?");

  const ours = Object.fromEntries(
    Object.entries(TERMINFO).map(([name, key]) => [name, printed(encodeKey(key, modes))]),
  );

  expect(ours).toEqual(Object.fromEntries(Object.keys(TERMINFO).map((name) => [name, read(name)])));
});
