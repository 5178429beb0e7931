/** Reads an answer as docs/mcp.md describes it ("How to read an answer"), without knowing how limpet writes it. */

export interface ParsedAnswer {
  /** The lines before the output. */
  readonly header: readonly string[];
  /** What the program printed; undefined if the answer has no output. */
  readonly output: string | undefined;
  /** What background jobs printed. */
  readonly background: string;
  /** Limpet's own lines inside the output, without their tag. */
  readonly marks: readonly string[];
}

const SECTION = /^(?:Output|Screen|Changed since your last read)(?: \(only (~[0-9a-z]+) lines are limpet's\))?:$/;
const BACKGROUND = "background output:";
const END = "end of output";

export function parseAnswer(text: string): ParsedAnswer {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => SECTION.test(line));
  if (at < 0) return { header: lines, output: undefined, background: "", marks: [] };
  const header = lines.slice(0, at);
  const rest = lines.slice(at + 1);
  const tag = SECTION.exec(lines[at] ?? "")?.[1];
  if (tag === undefined) return { header, output: rest.join("\n"), background: "", marks: [] };
  const isOwn = (line: string) => line.startsWith(`${tag} `);
  const says = (line: string, words: string) => line === `${tag} ${words}`;
  const withoutEnd = says(rest.at(-1) ?? "", END) ? rest.slice(0, -1) : rest;
  const border = withoutEnd.findIndex((line) => says(line, BACKGROUND));
  const own = border < 0 ? withoutEnd : withoutEnd.slice(0, border);
  const background = border < 0 ? [] : withoutEnd.slice(border + 1);
  const theirs = (part: readonly string[]) => part.filter((line) => !isOwn(line)).join("\n");
  const marks = [...own, ...background].filter(isOwn).map((line) => line.slice(tag.length + 1));
  return { header, output: theirs(own), background: theirs(background), marks };
}
