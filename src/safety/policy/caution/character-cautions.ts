/** Characters that make a command look like another one. Pure. */
import { escapeInvisible } from "../../../text/clean/make-visible.ts";
import type { ParsedShell } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";

/** White space other than blanks, and lone surrogates, which are encoded as other characters. */
const ODD = /(?! )[\p{Z}\p{Cs}]/u;

export function characterCautions(source: string, { commands }: ParsedShell): readonly Caution[] {
  const isOdd = ODD.test(source) || escapeInvisible(source, () => "") !== source;
  const names = commands.flatMap(({ words }) => words.slice(0, 1)).filter(({ text }) => /[^\0-\x7f]/.test(text));
  return [...(isOdd ? [source] : []), ...names.map(({ text }) => text)].map((part) => ({ name: "characters", part }));
}
