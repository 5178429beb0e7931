/** Moving and searching in the output of a session. Pure: a model and a key in, the next model out. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import { charWidth } from "../../text/clean/char-width.ts";
import { shorten } from "../print/table.ts";

export interface ScrollModel {
  readonly lines: readonly string[];
  /** The first line that is shown. */
  readonly top: number;
  /** What was searched for. */
  readonly pattern: string;
  /** The line that was found last. */
  readonly match: number | undefined;
  /** What is typed after `/`; undefined while keys move. */
  readonly typing: string | undefined;
  readonly message: string;
}

const HELP = "↑↓ PgUp PgDn g G move  / search  n N next  q back";

export function scrollModel(lines: readonly string[], { rows }: TerminalSize): ScrollModel {
  return clamped({ lines, top: lines.length, pattern: "", match: undefined, typing: undefined, message: "" }, rows);
}

/** Undefined: the person is back at the live screen. */
export function pressInScroll(model: ScrollModel, key: string, { rows }: TerminalSize): ScrollModel | undefined {
  const page = Math.max(1, rows - 2);
  const calm = { ...model, message: "" };
  const moved = (by: number) => clamped({ ...calm, top: calm.top + by }, rows);
  if (model.typing !== undefined) return clamped(typed({ ...calm, typing: model.typing }, key), rows);
  switch (key) {
    case "q":
    case "\x1b":
    case "\x03":
      return undefined;
    case "k":
    case "\x1b[A":
    case "\x1bOA":
      return moved(-1);
    case "j":
    case "\r":
    case "\x1b[B":
    case "\x1bOB":
      return moved(1);
    case "b":
    case "\x02":
    case "\x1b[5~":
      return moved(-page);
    case "f":
    case " ":
    case "\x06":
    case "\x1b[6~":
      return moved(page);
    case "g":
    case "\x1b[H":
      return moved(Number.NEGATIVE_INFINITY);
    case "G":
    case "\x1b[F":
      return moved(Number.POSITIVE_INFINITY);
    case "/":
      return { ...calm, typing: "" };
    case "n":
      return clamped(found(calm, "older"), rows);
    case "N":
      return clamped(found(calm, "newer"), rows);
    default:
      return calm;
  }
}

/** As many lines as the terminal has rows; the last one is the status. */
export function scrollView(model: ScrollModel, { cols, rows }: TerminalSize): readonly string[] {
  const { lines, top, pattern } = model;
  const shown = lines.slice(top, top + rows - 1).map((line) => highlighted(shorten(line, cols), pattern));
  const blank = Array.from({ length: Math.max(0, rows - 1 - shown.length) }, () => "");
  return [...shown, ...blank, `\x1b[7m${shorten(statusOf(model, rows), cols)}`];
}

/** Wraps long lines. */
export function wrapLines(lines: readonly string[], cols: number): readonly string[] {
  return lines.flatMap((line) => (line.length < cols ? [line] : wrapped(line, cols)));
}

function wrapped(line: string, cols: number): readonly string[] {
  const parts = [""];
  let width = 0;
  for (const char of line) {
    width += charWidth(char);
    if (width > cols) {
      parts.push("");
      width = charWidth(char);
    }
    parts[parts.length - 1] += char;
  }
  return parts;
}

function typed(model: ScrollModel & { readonly typing: string }, key: string): ScrollModel {
  const { typing } = model;
  if (key === "\r") {
    const pattern = typing || model.pattern;
    return found({ ...model, typing: undefined, pattern, match: undefined }, "older");
  }
  if (key === "\x1b" || key === "\x03") return { ...model, typing: undefined };
  if (key === "\x7f" || key === "\b") return { ...model, typing: [...typing].slice(0, -1).join("") };
  return /^[^\p{Cc}]$/u.test(key) ? { ...model, typing: typing + key } : model;
}

/** The search begins at the end of the output, and wraps around. */
function found(model: ScrollModel, direction: "older" | "newer"): ScrollModel {
  const { lines, match, pattern } = model;
  if (pattern === "") return { ...model, message: "Search with /" };
  const wanted = pattern.toLowerCase();
  const at = lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []));
  if (at.length === 0) return { ...model, message: `No line has ${JSON.stringify(pattern)}` };
  const next =
    direction === "older"
      ? (at.findLast((index) => index < (match ?? lines.length)) ?? at.at(-1) ?? 0)
      : (at.find((index) => index > (match ?? -1)) ?? at[0] ?? 0);
  const place = at.indexOf(next) + 1;
  return {
    ...model,
    top: next,
    match: next,
    message: `${place} of ${at.length} lines with ${JSON.stringify(pattern)}`,
  };
}

/** Keeps the last line at the bottom: a match near the end is not shown at the top. */
function clamped(model: ScrollModel, rows: number): ScrollModel {
  const most = Math.max(0, model.lines.length - (rows - 1));
  return { ...model, top: Math.min(most, Math.max(0, model.top)) };
}

function statusOf({ lines, top, typing, message }: ScrollModel, rows: number): string {
  if (typing !== undefined) return `/${typing}█`;
  const place = `${Math.min(lines.length, top + 1)}-${Math.min(lines.length, top + rows - 1)} of ${lines.length}`;
  return `${place}  ${message === "" ? HELP : message}`;
}

function highlighted(line: string, pattern: string): string {
  if (pattern === "") return line;
  const [low, wanted] = [line.toLowerCase(), pattern.toLowerCase()];
  const parts: string[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    parts.push(line.slice(from, at), "\x1b[7m", line.slice(at, at + wanted.length), "\x1b[0m");
    from = at + wanted.length;
  }
  return parts.join("") + line.slice(from);
}
