/**
 * Records what a real xterm sends for each key, modifier and mode, into `test/corpus/xterm-keys.json`. Run manually on
 * a machine with xterm, Xvfb, xdotool and setxkbmap; the tests only read the file.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./run.mjs";

const display = ":97";
const env = { ...process.env, DISPLAY: display, LC_ALL: "C.UTF-8" };
const folder = mkdtempSync(join(tmpdir(), "limpet-keys-"));

/** Typed after each key: when it arrives, all bytes of the key have arrived. */
const sentinel = "z";
const modes = {
  plain: "",
  applicationCursor: "\\033[?1h",
  applicationKeypad: "\\033=",
  modifyOtherKeys1: "\\033[>4;1m",
  modifyOtherKeys2: "\\033[>4;2m",
};
const named = {
  Enter: "Return",
  Tab: "Tab",
  Esc: "Escape",
  Space: "space",
  Backspace: "BackSpace",
  Delete: "Delete",
  Insert: "Insert",
  Home: "Home",
  End: "End",
  PageUp: "Prior",
  PageDown: "Next",
  Up: "Up",
  Down: "Down",
  Left: "Left",
  Right: "Right",
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, `F${index + 1}`])),
  KPEnter: "KP_Enter",
  KPPlus: "KP_Add",
  KPMinus: "KP_Subtract",
  KPMultiply: "KP_Multiply",
  KPDivide: "KP_Divide",
};
const characters = { a: "a", c: "c", i: "i", m: "m", 1: "1", 2: "2", 3: "3", 8: "8", 9: "9", 0: "0" };
const signs = {
  ",": "comma",
  ".": "period",
  "/": "slash",
  ";": "semicolon",
  "[": "bracketleft",
  "]": "bracketright",
  "\\": "backslash",
  "-": "minus",
  "=": "equal",
  "`": "grave",
  "'": "apostrophe",
};
/** Characters that need Shift on this keyboard. */
const shifted = { "@": "at", _: "underscore", "?": "question", "~": "asciitilde", "!": "exclam", "+": "plus" };
const modifiers = ["", "Shift", "Alt", "Shift+Alt", "Ctrl", "Shift+Ctrl", "Alt+Ctrl", "Shift+Alt+Ctrl"];

/** xterm handles some keys itself. This passes them to the program like all others. */
const translations =
  "#override " +
  ["Shift<Key>Prior", "Shift<Key>Next", "Shift<Key>Insert", "Shift<Key>KP_Add", "Shift<Key>KP_Subtract"]
    .map((event) => `${event}: insert-seven-bit()`)
    .join("\\n ");

const server = spawn("Xvfb", [display, "-screen", "0", "800x600x8", "-nolisten", "tcp"], { stdio: "ignore" });
try {
  await sleep(1500);
  const recorded = { xterm: execFileSync("xterm", ["-version"], { env, encoding: "utf8" }).trim(), keys: {} };
  for (const [mode, sequence] of Object.entries(modes)) recorded.keys[mode] = await record(mode, sequence);
  writeFileSync(join(root, "test/corpus/xterm-keys.json"), `${JSON.stringify(recorded, null, 1)}\n`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function record(mode, sequence) {
  const file = join(folder, mode);
  writeFileSync(file, "");
  const program = `stty raw -echo; printf '${sequence}'; exec cat > '${file}'`;
  const xterm = spawn(
    "xterm",
    [
      "-xrm",
      `XTerm*VT100.translations: ${translations}`,
      "-xrm",
      "*fullscreen: never",
      "-xrm",
      "*altSendsEscape: true",
      "-xrm",
      "*metaSendsEscape: true",
      "-e",
      "bash",
      "-c",
      program,
    ],
    { env, stdio: "ignore" },
  );
  const sent = {};
  try {
    await sleep(1500);
    execFileSync("xdotool", ["mousemove", "100", "100"], { env });
    // Alt and Meta are the same key on this keyboard, and xterm would treat it as Meta; terminfo only knows Alt.
    execFileSync("setxkbmap", ["-layout", "us", "-option", "altwin:meta_win"], { env, stdio: "ignore" });
    for (let tries = 0; (await press("y", file)) !== "y"; tries += 1) {
      if (tries > 50) throw new Error("xterm does not accept keys. Check that Xvfb and xdotool work.");
    }
    for (const [name, keysym] of Object.entries({ ...named, ...characters, ...signs, ...shifted })) {
      for (const modifier of modifiers) {
        if (name in shifted && modifier.includes("Shift")) continue;
        const key = modifier === "" ? keysym : `${modifier.toLowerCase()}+${keysym}`;
        const bytes = await press(key, file);
        // The X server handles Ctrl+Alt+F1 and similar keys itself.
        if (bytes) sent[modifier === "" ? name : `${modifier}+${name}`] = bytes;
      }
    }
  } finally {
    xterm.kill();
  }
  return sent;
}

async function press(key, file) {
  const before = readFileSync(file, "latin1").length;
  execFileSync("xdotool", ["key", "--delay", "0", key, sentinel], { env });
  for (let tries = 0; tries < 100; tries += 1) {
    await sleep(3);
    const bytes = readFileSync(file, "latin1").slice(before);
    if (bytes.endsWith(sentinel)) return bytes.slice(0, -1);
  }
  return undefined;
}
