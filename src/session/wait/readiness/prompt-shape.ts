/** Recognises prompts by their form. Pure. */

/** A longer line is not a prompt that a person would read. */
const LONGEST_PROMPT = 160;
/** What prompts end with. A percentage, or a count in brackets, is progress. */
const ENDS = /(?:[>$#?:❯❱»➜➤▶λ→⟩]|(?<!\d)%|\[[^\]\d]{1,12}\]|\([^)\d]{1,12}\))$/u;
/** A question followed by its default. */
const DEFAULT = /[:?]\s*[([][^()[\]]*[)\]]$/;
/** Questions of the libraries that draw them, such as "? Your name". */
const MARKS = /^[?❯›◆]\s/u;
/** Prompts that consist only of signs: those for continued lines, and those of Lisp, Forth and SQL. */
const SIGNS = /^[.>*|+~=:-]{1,6}$/;
/** The shortest common start of similar prompts, such as the user and the host. */
const FEWEST_COMMON = 3;

/** The prompt without its numbers, which often count up. */
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
