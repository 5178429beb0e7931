/**
 * The shape of a line without its numbers. Two lines of the same shape differ only in a counter, a percentage or a
 * time of day.
 */
const TIME = "(?:\\d{4}-\\d\\d-\\d\\d[T ])?\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?|\\[ *\\d{1,9}\\.\\d{6}\\]";
const PERCENT = "\\d{1,3}(?:\\.\\d{1,3})? ?%";
/** A time zone is read as a separate number: a log keeps to one zone, and nothing is folded where it changes. */
const VARIABLE = new RegExp(`(${TIME})|(${PERCENT})|\\d+`, "g");
/** The length of a date and the separator after it. */
const DAY_LENGTH = 11;
/** The filled and empty part of a drawn bar. */
const BAR = /[█▉▊▋▌▍▎▏░▒▓━╸╺#=>.-]{3,}/g;
const HAS_DIGIT = /\d/;
const HAS_PERCENT = /\d ?%/;
/** JavaScript does not represent longer numbers exactly, so a line with one is like no other. */
const LONGEST_COUNTER_DIGITS = 15;
/** A larger value is a measurement, such as the load of several processors. Progress ends here. */
const WHOLE_PERCENT = 100;
/**
 * Lines of a log are rarely further apart. A longer pause is worth showing, unless every line follows such a pause.
 */
const LONGEST_LOG_STEP_SECONDS = 60;
/** What runs at fixed times may be late by this part of its step. */
const UNEVEN_PART = 0.1;

export interface LineShape {
  readonly text: string;
  /** The plain numbers of the line, in order; times and percentages are not among them. */
  readonly counters: readonly number[];
  readonly percents: readonly number[];
  /** In seconds. Only their differences have a meaning. */
  readonly times: readonly number[];
}

/** The difference of each number from one line to the next. */
export interface Steps {
  readonly counters: readonly number[];
  readonly times: readonly number[];
}

/**
 * Characters that may be part of a number, a percentage, a time or a bar: those and no others differ between alike
 * lines.
 */
const VARIABLE_CHARS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  "0123456789 :.,%[]T-#=>".includes(String.fromCharCode(code)) ? 1 : 0,
);
/** Box drawing and block elements, among them those of a bar. */
const FIRST_DRAWN = 0x2500;
const LAST_DRAWN = 0x259f;

/**
 * False where two lines differ in more than numbers and bars. Far cheaper than their shapes, and most lines differ
 * early.
 */
export function mayBeAlike(one: string, other: string): boolean {
  let j = 0;
  for (let i = 0; i < one.length; i += 1) {
    const code = one.charCodeAt(i);
    if (isVariable(code)) continue;
    while (j < other.length && isVariable(other.charCodeAt(j))) j += 1;
    if (code !== other.charCodeAt(j)) return false;
    j += 1;
  }
  while (j < other.length && isVariable(other.charCodeAt(j))) j += 1;
  return j >= other.length;
}

function isVariable(code: number): boolean {
  return code < VARIABLE_CHARS.length ? VARIABLE_CHARS[code] === 1 : code >= FIRST_DRAWN && code <= LAST_DRAWN;
}

/** Null where the line has no number, so that only an equal line can follow it. */
export function shapeOf(line: string): LineShape | null {
  if (!HAS_DIGIT.test(line)) return null;
  const counters: number[] = [];
  const percents: number[] = [];
  const times: number[] = [];
  const drawn = HAS_PERCENT.test(line) ? line.replace(BAR, "\u0001") : line;
  const text = drawn.replace(VARIABLE, (found: string, time?: string, percent?: string) => {
    if (time !== undefined) {
      times.push(secondsOf(time));
      return formOf(time);
    }
    if (percent !== undefined) {
      percents.push(Number.parseFloat(percent));
      return "\u0003";
    }
    counters.push(found.length > LONGEST_COUNTER_DIGITS ? Number.NaN : Number(found));
    return "\u0004";
  });
  return { text, counters, percents, times };
}

/**
 * Null if the second line does not continue the first: they differ in more than numbers, or a percentage or a time
 * falls. So every value that a fold hides lies between those of the first and the last line, which it shows.
 */
export function stepsBetween(before: LineShape, after: LineShape): Steps | null {
  // Equal texts have as many numbers of each kind.
  if (before.text !== after.text) return null;
  const counters = differences(before.counters, after.counters);
  const percents = differences(before.percents, after.percents);
  const times = differences(before.times, after.times);
  const isProgress = percents.every((step, i) => step === 0 || (step > 0 && (after.percents[i] ?? 0) <= WHOLE_PERCENT));
  return isProgress && times.every((step) => step >= 0) && !counters.some(Number.isNaN) ? { counters, times } : null;
}

/**
 * A counter changes by the same step each time, a time by the steps of a log. A number that jumps is worth showing, so
 * its line stays.
 */
export function areLikeSteps(one: Steps, other: Steps): boolean {
  return (
    one.counters.every((step, i) => step === other.counters[i]) &&
    one.times.every((step, i) => areLikePauses(step, other.times[i] ?? Number.NaN))
  );
}

function areLikePauses(one: number, other: number): boolean {
  if (Math.max(one, other) <= LONGEST_LOG_STEP_SECONDS) return true;
  return Math.abs(one - other) <= UNEVEN_PART * Math.min(one, other);
}

function differences(before: readonly number[], after: readonly number[]): readonly number[] {
  return after.length === 0 ? after : after.map((value, i) => value - (before[i] ?? Number.NaN));
}

/** Times of two forms are not compared. */
function formOf(time: string): string {
  if (time.startsWith("[")) return "\u0002[";
  const hasSeconds = time.indexOf(":") !== time.lastIndexOf(":");
  return `\u0002${isDated(time) ? "-" : ""}${hasSeconds ? ":" : ""}`;
}

/**
 * Called for every line of a log, so it slices by position, which is faster than a pattern. A time without seconds has
 * hours and minutes.
 */
function secondsOf(time: string): number {
  if (time.startsWith("[")) return Number(time.slice(1, -1));
  const day = isDated(time) ? Date.UTC(+time.slice(0, 4), +time.slice(5, 7) - 1, +time.slice(8, 10)) / 1000 : 0;
  const colon = time.indexOf(":");
  const hours = Number(time.slice(isDated(time) ? DAY_LENGTH : 0, colon));
  const seconds = Number(time.slice(colon + 4).replace(",", "."));
  return day + hours * 3600 + Number(time.slice(colon + 1, colon + 3)) * 60 + seconds;
}

function isDated(time: string): boolean {
  return time.charAt(4) === "-";
}
