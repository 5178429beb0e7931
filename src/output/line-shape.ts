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
const CLOCK = /(?:(\d{4})-(\d\d)-(\d\d)[T ])?(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?/;
/** All but digits and padding: times of two forms are not compared. */
const FORM = /[\d ]+/g;
/** Longer numbers are not exact as a number; such a line is like no other. */
const LONGEST_COUNTER_DIGITS = 15;
/** More than a whole is a measurement, such as the load of several processors: progress ends here. */
const WHOLE_PERCENT = 100;
/** Lines of a log are seldom further apart. A longer pause says something, unless each line comes after such a pause. */
const LONGEST_LOG_STEP_SECONDS = 60;
/** What runs by the clock comes a little late at times: so much of its step. */
const UNEVEN_PART = 0.1;

export interface LineShape {
  readonly text: string;
  /** The plain numbers of the line, in order; times and percentages are not among them. */
  readonly counters: readonly number[];
  readonly percents: readonly number[];
  /** In seconds, from whatever they count from. */
  readonly times: readonly number[];
}

/** How far each number went on from one line to the next. */
export interface Steps {
  readonly counters: readonly number[];
  readonly times: readonly number[];
}

/** Null where the line has no number, so that only an equal line can follow it. */
export function shapeOf(line: string): LineShape | null {
  if (!HAS_DIGIT.test(line)) return null;
  const counters: number[] = [];
  const percents: number[] = [];
  const times: number[] = [];
  const drawn = HAS_PERCENT.test(line) ? line.replace(BAR, "\u0001") : line;
  const text = drawn.replace(VARIABLE, (_, time?: string, percent?: string, digits?: string) => {
    if (time !== undefined) {
      times.push(secondsOf(time));
      return `\u0002${time.replace(FORM, "")}`;
    }
    if (percent !== undefined) {
      percents.push(Number.parseFloat(percent));
      return "\u0003";
    }
    counters.push(digits === undefined || digits.length > LONGEST_COUNTER_DIGITS ? Number.NaN : Number(digits));
    return "\u0004";
  });
  return { text, counters, percents, times };
}

/**
 * Null where the second line cannot go on from the first: they differ in more than numbers, or a percentage or a time
 * falls. So every one that a fold hides lies between the first and the last, which it shows.
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
 * A counter goes on by the same step each time, a time by those of a log: a number that jumps says something, and its
 * line stays.
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

function differences(before: readonly number[], after: readonly number[]): number[] {
  return after.map((value, i) => value - (before[i] ?? Number.NaN));
}

/** Without seconds, the two numbers are taken for hours and minutes. The zone is left out: a log keeps to one. */
function secondsOf(time: string): number {
  if (time.startsWith("[")) return Number(time.slice(1, -1));
  const [, year, month, day, hours, minutes, seconds = "0"] = CLOCK.exec(time) ?? [];
  const date = year === undefined ? 0 : Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000;
  return date + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}
