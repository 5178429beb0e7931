import { type MarkOptions, markOf } from "../mark.ts";
import { areLikeSteps, type LineShape, mayBeAlike, type Steps, shapeOf, stepsBetween } from "./line-shape.ts";

/** Fewer equal lines are as quick to read as their count. */
const FEWEST_EQUAL = 5;
/** Two lines may be alike by chance. */
const FEWEST_ALIKE = 3;
/** What it costs to leave out lines that differ: a line in the answer says how to read them. */
const TELLING_BYTES = 80;

/** Which lines to fold, and how to mark them. */
export interface FoldOptions extends MarkOptions {
  /** `equal`: only lines that are the same. `alike`: also lines that differ in a number. Default `alike`. */
  readonly lines?: "equal" | "alike";
}

/** A text whose repeated lines are folded. */
export interface Folded {
  readonly text: string;
  /** Lines that are not in `text` because they were like their neighbours. */
  readonly foldedLines: number;
  /** How many of these differ from both lines that are shown for their run, the first and the last. */
  readonly hiddenLines: number;
  /** Where the two texts continue in parallel after each fold, in bytes of UTF-8. See `unfoldedByte`. */
  readonly joints: readonly Joint[];
}

interface Joint {
  readonly foldedByte: number;
  readonly originalByte: number;
}

interface Run {
  readonly first: string;
  /** All of its lines until a fold is shorter; then null, because it stays shorter. */
  lines: string[] | null;
  last: string;
  lastShape: LineShape | null | undefined;
  steps: Steps | null;
  count: number;
  /** Bytes of all its lines in the original text. */
  bytes: number;
  isEqual: boolean;
}

/**
 * Five or more equal lines in a row become one and a count. So do three or more that are equal but for a counter that
 * continues by the same step, a percentage up to 100 that never falls, or a time that continues as in a log: never
 * back, and by at most a minute or by about the same step. Of these the last and the first are shown. Blank lines and
 * an unfinished last line stay as they are, and so does a run whose fold would not be shorter.
 */
export function foldRepeats(text: string, options: FoldOptions = {}): Folded {
  const fold = new RepeatFold(options);
  fold.push(text);
  return fold.finish();
}

/** The byte of the original text that byte `foldedByte` of the folded one came from, or the start of its run. */
export function unfoldedByte(folded: Folded, foldedByte: number): number {
  let low = 0;
  let high = folded.joints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((folded.joints[middle]?.foldedByte ?? 0) <= foldedByte) low = middle + 1;
    else high = middle;
  }
  const joint = folded.joints[low - 1] ?? { foldedByte: 0, originalByte: 0 };
  const next = folded.joints[low]?.originalByte ?? Number.POSITIVE_INFINITY;
  return Math.min(joint.originalByte + foldedByte - joint.foldedByte, next);
}

/**
 * `foldRepeats` for a text that arrives in pieces, so that other work can run between them.
 */
export class RepeatFold {
  readonly #tag: string | undefined;
  readonly #isEqualOnly: boolean;
  readonly #lines: string[] = [];
  readonly #joints: Joint[] = [];
  #bytes = 0;
  #originalBytes = 0;
  #foldedLines = 0;
  #hiddenLines = 0;
  #run: Run | null = null;
  /** The line that has not ended yet. */
  #rest = "";

  constructor({ tag, lines = "alike" }: FoldOptions = {}) {
    this.#tag = tag;
    this.#isEqualOnly = lines === "equal";
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      this.#addLine(this.#rest + text.slice(from, end));
      this.#rest = "";
      from = end + 1;
    }
    this.#rest += text.slice(from);
  }

  finish(): Folded {
    this.#endRun();
    this.#lines.push(this.#rest);
    const [foldedLines, hiddenLines] = [this.#foldedLines, this.#hiddenLines];
    return { text: this.#lines.join("\n"), foldedLines, hiddenLines, joints: this.#joints };
  }

  #addLine(line: string): void {
    const run = this.#run;
    if (run === null || !this.#goesOn(run, line)) {
      this.#endRun();
      this.#run = startRun(line);
    }
  }

  #goesOn(run: Run, line: string): boolean {
    if (line === run.last && run.isEqual && line.trim() !== "") {
      this.#extend(run, line, run.lastShape);
      return true;
    }
    if (this.#isEqualOnly || (run.isEqual && run.count > 1) || !mayBeAlike(run.last, line)) return false;
    run.lastShape = run.lastShape === undefined ? shapeOf(run.last) : run.lastShape;
    const shape = run.lastShape === null ? null : shapeOf(line);
    const steps = run.lastShape === null || shape === null ? null : stepsBetween(run.lastShape, shape);
    if (steps === null) return false;
    if (run.steps === null || areLikeSteps(run.steps, steps)) {
      run.isEqual = false;
      run.steps = steps;
      this.#extend(run, line, shape);
      return true;
    }
    if (run.count > 2) return false;
    // Two lines are not a run, but the second may begin one with the third.
    this.#give(run.first);
    const next = startRun(run.last);
    next.isEqual = run.last === line;
    next.steps = steps;
    this.#extend(next, line, shape);
    this.#run = next;
    return true;
  }

  #extend(run: Run, line: string, shape: LineShape | null | undefined): void {
    run.last = line;
    run.lastShape = shape;
    run.count++;
    run.bytes += Buffer.byteLength(line) + 1;
    run.lines?.push(line);
    if (run.lines && isWorthFolding(run, this.#tag)) run.lines = null;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = null;
    if (run === null) return;
    if (run.lines) {
      for (const line of run.lines) this.#give(line);
      return;
    }
    const note = noteOf(run, this.#tag);
    this.#lines.push(run.last, note);
    this.#bytes += Buffer.byteLength(run.last) + Buffer.byteLength(note) + 2;
    this.#originalBytes += run.bytes;
    this.#foldedLines += run.count - 1;
    if (!run.isEqual) this.#hiddenLines += run.count - 2;
    this.#joints.push({ foldedByte: this.#bytes, originalByte: this.#originalBytes });
  }

  #give(line: string): void {
    this.#lines.push(line);
    const bytes = Buffer.byteLength(line) + 1;
    this.#bytes += bytes;
    this.#originalBytes += bytes;
  }
}

function startRun(line: string): Run {
  const bytes = Buffer.byteLength(line) + 1;
  return { first: line, lines: [line], last: line, lastShape: undefined, steps: null, count: 1, bytes, isEqual: true };
}

function isWorthFolding(run: Run, tag: string | undefined): boolean {
  if (run.count < (run.isEqual ? FEWEST_EQUAL : FEWEST_ALIKE)) return false;
  const folded = Buffer.byteLength(run.last) + Buffer.byteLength(noteOf(run, tag)) + 2;
  return folded + (run.isEqual ? 0 : TELLING_BYTES) < run.bytes;
}

function noteOf(run: Run, tag: string | undefined): string {
  return markOf(run.isEqual ? `[×${run.count}]` : `[×${run.count}, the first: ${run.first}]`, tag);
}
