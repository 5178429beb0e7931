/** What is typed at the prompt of a shell is a command, if it is nothing but whole lines. Pure. */
import type { Stroke } from "../../keys/parse-stroke.ts";

/**
 * Control characters edit the line or complete it, `!` and a leading `^` repeat earlier lines: what the shell then runs
 * is not what was typed.
 */
const EDITS = /[\0-\x09\x0b-\x1f\x7f!]|(?:^|\n)\^/;

/** The command without its last line end; undefined if it is not known what the shell will run. */
export function typedCommand(strokes: readonly Stroke[]): string | undefined {
  const last = strokes.at(-1);
  const isEntered = last?.kind === "key" && last.name.toLowerCase() === "enter";
  const typed = isEntered ? strokes.slice(0, -1) : strokes;
  if (!typed.every((stroke) => stroke.kind === "text")) return undefined;
  const text = typed
    .map((stroke) => (stroke.kind === "text" ? stroke.text : ""))
    .join("")
    .replaceAll("\r", "\n");
  const lines = isEntered ? `${text}\n` : text;
  // An Enter alone runs what is on the line already. Without an Enter, the next input completes the line.
  const isWhole = lines.endsWith("\n") && lines.trim() !== "";
  return isWhole && !EDITS.test(lines) ? lines.slice(0, -1) : undefined;
}
