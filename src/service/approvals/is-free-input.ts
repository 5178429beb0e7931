/**
 * Input that needs no approval, because it cannot give a program a command: keys that interrupt, suspend or end a
 * program, and keys that only move. Enter is not among them: it may run a line that is there already. Pure.
 */
import type { Stroke } from "../../keys/parse-stroke.ts";

const KEYS: ReadonlySet<string> = new Set(
  "ctrl+c ctrl+d ctrl+z ctrl+\\ esc escape up down left right home end pageup pagedown".split(" "),
);
/** The same as bytes: Ctrl+C, Ctrl+D, Ctrl+Z, Ctrl+\, a lone Escape, and the sequences of the arrows, Home and End. */
const BYTES = /^(?:[\x03\x04\x1a\x1c]|\x1b[[O][ABCDHF]|\x1b\[[56]~|\x1b$)+$/;

export function isFreeInput(strokes: readonly Stroke[]): boolean {
  return strokes.every((stroke) => {
    if (stroke.kind === "key") return KEYS.has(stroke.name.toLowerCase());
    if (stroke.kind === "mouse") return stroke.event.kind === "wheel";
    return stroke.text === "" || (stroke.kind === "text" && BYTES.test(stroke.text));
  });
}
