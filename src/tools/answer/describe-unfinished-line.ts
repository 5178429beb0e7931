/** The rest of typed text that did not end with Enter: a line that the program has not received yet. Pure. */
import { quoteLine } from "../../text/clean/quote-line.ts";

const SHOWN_CHARS = 80;

interface TypedText {
  readonly chars: string;
  readonly keys?: readonly string[] | undefined;
  /** What the program printed since, which includes the echo of a line. */
  readonly output: string;
  readonly waitingFor: "line" | "password" | "key" | "unknown" | null;
  /** It is a shell at its prompt. */
  readonly isIdle: boolean;
  /** The program runs in a terminal. */
  readonly hasTerminal: boolean;
}

/** A line for the answer, or none. Programs that read keys get each one at once, and a password is never repeated. */
export function describeUnfinishedLine(typed: TypedText): string[] {
  const { chars, keys = [], output, waitingFor, isIdle, hasTerminal } = typed;
  const line = chars.split(/[\r\n]/).at(-1) ?? "";
  if (!hasTerminal || line === "" || keys.length > 0 || /\p{Cc}/u.test(line)) return [];
  // An idle shell waits for nothing in particular, but its terminal echoes the line.
  const isInLine = waitingFor === "line" || (isIdle && output.endsWith(line));
  if (!isInLine) return [];
  const shown = quoteLine(line, { maxChars: SHOWN_CHARS });
  return [`Typed without Enter: ${shown}; submit it with keys ["Enter"], or clear it with keys ["Ctrl+U"]`];
}
