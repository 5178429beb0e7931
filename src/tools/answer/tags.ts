/**
 * The tags of limpet's own lines inside the output of a program.
 *
 * A reading gets a tag that no program can guess, since it is chosen after the program printed. An answer then shows a
 * short one in its place, which costs a model fewer tokens. The short one occurs nowhere in the output itself, so a
 * line that starts with it is ours.
 */
const DIGITS = 36;
const READ_CHARS = 8;
const SHOWN_CHARS = 4;

/** A tag for one reading, such as `~k7f3q0zd`. */
export function newReadTag(): string {
  return newTag(READ_CHARS);
}

/** What a program printed, with short tags. */
export interface TaggedOutput {
  readonly output: string;
  /** What background jobs printed. */
  readonly background: string;
  /** The tag of limpet's own lines in both texts. It occurs nowhere else in them. */
  readonly tag: string;
  /** At least one of the texts has such a line. */
  readonly hasMarks: boolean;
}

/** `readTag`: the tag of the reading; undefined if its marks have none. */
export function showShortTag(readTag: string | undefined, output: string, background = ""): TaggedOutput {
  let tag = newTag(SHOWN_CHARS);
  while (output.includes(tag) || background.includes(tag)) tag = newTag(SHOWN_CHARS);
  if (readTag === undefined) return { output, background, tag, hasMarks: false };
  const hasMarks = output.includes(readTag) || background.includes(readTag);
  return { output: output.replaceAll(readTag, tag), background: background.replaceAll(readTag, tag), tag, hasMarks };
}

/** Random numbers that were not used yet: asking for many at once costs no more than asking for one. */
const pool = { numbers: new Uint32Array(128), left: 0 };

/** With the global `crypto`, which Node loads on first use: a server must answer soon after its start. */
function nextRandom(): number {
  if (pool.left === 0) {
    crypto.getRandomValues(pool.numbers);
    pool.left = pool.numbers.length;
  }
  pool.left -= 1;
  return pool.numbers[pool.left] ?? 0;
}

function newTag(chars: number): string {
  const [high, low] = [nextRandom(), nextRandom()];
  // With 53 random bits, some tags are slightly likelier than others, which does not help to guess one.
  const number = (high * 2 ** 21 + (low >>> 11)) % DIGITS ** chars;
  return `~${number.toString(DIGITS).padStart(chars, "0")}`;
}
