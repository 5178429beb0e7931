/**
 * What a line looks like when its numbers are taken out, to see whether the next line is the same but for a counter, a
 * percentage or a time of day.
 */
const TIME =
  "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?|\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?|\\[ *\\d{1,9}\\.\\d{6}\\]";
const PERCENT = "\\d{1,3}(?:\\.\\d{1,3})? ?%";
const VARIABLE = new RegExp(`(${TIME})|(${PERCENT})|(\\d+)`, "g");
/** The filled and empty part of a drawn bar. */
const BAR = /[█▉▊▋▌▍▎▏░▒▓━╸╺#=>.-]{3,}/g;
const HAS_DIGIT = /\d/;
const HAS_PERCENT = /\d ?%/;
/** Longer numbers are not exact as a number; such a line is like no other. */
const LONGEST_COUNTER_DIGITS = 15;

export interface LineShape {
  readonly text: string;
  /** The plain numbers of the line, in order; times and percentages may differ freely and are not among them. */
  readonly counters: readonly number[];
}

/** Null where the line has no number, so that only an equal line can follow it. */
export function shapeOf(line: string): LineShape | null {
  if (!HAS_DIGIT.test(line)) return null;
  const counters: number[] = [];
  const drawn = HAS_PERCENT.test(line) ? line.replace(BAR, "\u0001") : line;
  const text = drawn.replace(VARIABLE, (_, time?: string, percent?: string, digits?: string) => {
    if (time !== undefined) return "\u0002";
    if (percent !== undefined) return "\u0003";
    counters.push(digits === undefined || digits.length > LONGEST_COUNTER_DIGITS ? Number.NaN : Number(digits));
    return "\u0004";
  });
  return { text, counters };
}

/** By how much each counter went on from one line to the next; null where the lines differ in more than numbers. */
export function stepsBetween(before: LineShape, after: LineShape): readonly number[] | null {
  if (before.text !== after.text || before.counters.length !== after.counters.length) return null;
  const steps = after.counters.map((value, i) => value - (before.counters[i] ?? Number.NaN));
  return steps.some(Number.isNaN) ? null : steps;
}

/** A counter goes on by the same step each time: a number that jumps says something, and its line stays. */
export function areSameSteps(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((step, i) => step === other[i]);
}
