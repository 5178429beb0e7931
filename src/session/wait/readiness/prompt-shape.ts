/** Pure: what a prompt looks like. */

/** A longer line is not a prompt that a person would read. */
const LONGEST_PROMPT = 160;
/** What prompts end with. A percentage, or a count in brackets, is progress. */
const ENDS = /(?:[>$#?:❯❱»➜➤▶λ→⟩]|(?<!\d)%|\[[^\]\d]{1,12}\]|\([^)\d]{1,12}\))$/u;
/** A question with its default behind it. */
const DEFAULT = /[:?]\s*[([][^()[\]]*[)\]]$/;
/** Questions of the libraries that draw them, such as "? Your name". */
const MARKS = /^[?❯›◆]\s/u;
/** Prompts for a line that continues, and of Lisp, Forth and SQL: nothing but signs. */
const SIGNS = /^[.>*|+~=:-]{1,6}$/;
/** Where similar prompts start to differ: after the user and the host. */
const FEWEST_COMMON = 3;

/** Numbers in a prompt count up. */
export function promptShape(line: string): string {
  return line.trim().replaceAll(/\d+/g, "0");
}

export function looksLikePrompt(line: string): boolean {
  const text = line.trim();
  if (text === "" || text.length > LONGEST_PROMPT) return false;
  return [ENDS, DEFAULT, MARKS, SIGNS].some((shape) => shape.test(text));
}

/** Equal apart from numbers, or with the same start and end, as when the directory in a prompt has changed. */
export function isSamePrompt(shape: string, other: string): boolean {
  if (shape === other) return true;
  if (shape.at(-1) !== other.at(-1) || !looksLikePrompt(shape)) return false;
  const start = shape.slice(0, FEWEST_COMMON);
  return start.length === FEWEST_COMMON && other.startsWith(start);
}
