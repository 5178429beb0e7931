/**
 * A screen as text for a model. Pure.
 *
 * What stands out is between `⟦` and `⟧`. No program draws with these characters, so a box or a prompt never looks like
 * a mark; if a program does print one, it is escaped, like everything that could deceive a reader. What is invisible to
 * a person is blank here, too. Otherwise a program could show the model text that the person does not see.
 */
import { makeVisible } from "../text/clean/make-visible.ts";
import type { Mark, Snapshot } from "./snapshot.ts";

/** Options of `screenText`. */
export interface ScreenTextOptions {
  /** Show a visible caret as `‸` before the character that it is on. Default false. */
  readonly caret?: boolean;
  /** Mark the highlighted parts. Default true. */
  readonly marks?: boolean;
  /** Join the rows of a line that is too long for the screen. Default false. */
  readonly unwrap?: boolean;
}

const OPEN = "⟦";
const CLOSE = "⟧";
const CARET = "‸";
const OWN = /[⟦⟧‸]/g;

/** One text for the whole screen, without the blank rows at its end. */
export function screenText(snapshot: Snapshot, options: ScreenTextOptions = {}): string {
  const rows = rowTexts(snapshot, options);
  const above = snapshot.scrollback.map(plain);
  const lines = options.unwrap ? unwrapped(rows, snapshot.wrapped) : rows;
  return [...above, ...lines].join("\n").trimEnd();
}

/** One text per row. */
export function rowTexts(snapshot: Snapshot, { caret = false, marks = true }: ScreenTextOptions = {}): string[] {
  const byRow = new Map<number, Mark[]>();
  for (const mark of snapshot.marks) byRow.set(mark.row, [...(byRow.get(mark.row) ?? []), mark]);
  const caretRow = caret && snapshot.caret.isVisible ? snapshot.caret.row : -1;
  return snapshot.lines.map((line, row) => {
    const own = (byRow.get(row) ?? []).filter(({ kind }) => kind === "hidden" || marks);
    const caretAt = row === caretRow ? snapshot.caret.at : -1;
    return own.length === 0 && caretAt < 0 ? plain(line) : marked(line, own, caretAt);
  });
}

/** Signs to insert before and after parts of the text, from left to right. */
function marked(line: string, marks: readonly Mark[], caretAt: number): string {
  const seen = marks.filter(({ kind }) => kind === "hidden").reduce(blanked, line);
  const text = seen.padEnd(caretAt);
  const signs = marks
    .filter(({ kind }) => kind === "highlight")
    .flatMap(({ start, end }) => [
      { at: start, order: 2, sign: OPEN },
      { at: end, order: 0, sign: CLOSE },
    ]);
  if (caretAt >= 0) signs.push({ at: caretAt, order: 1, sign: CARET });
  signs.sort((one, other) => one.at - other.at || one.order - other.order);
  let result = "";
  let from = 0;
  for (const { at, sign } of signs) {
    result += plain(text.slice(from, at)) + sign;
    from = at;
  }
  return (result + plain(text.slice(from))).trimEnd();
}

function blanked(line: string, { start, end }: Mark): string {
  return line.slice(0, start) + " ".repeat(Math.max(0, Math.min(end, line.length) - start)) + line.slice(end);
}

function plain(text: string): string {
  return makeVisible(text).replaceAll(OWN, (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase()}⟩`);
}

function unwrapped(rows: readonly string[], wrapped: readonly boolean[]): string[] {
  const lines: string[] = [];
  rows.forEach((text, row) => {
    if (row > 0 && wrapped[row - 1]) lines[lines.length - 1] += text;
    else lines.push(text);
  });
  return lines;
}

/** Explains the signs in a text to its reader; "" if it has none. */
export function legendOf(text: string): string {
  const parts = [
    text.includes(OPEN) ? `${OPEN}${CLOSE} highlighted` : "",
    text.includes(CARET) ? `${CARET} caret` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}
