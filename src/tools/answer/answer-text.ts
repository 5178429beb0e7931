/**
 * The text of an answer: limpet's lines, a line that ends them, and what the program printed.
 *
 * All that follows a plain `Output:` is the program's. If limpet adds lines to it, or if the program could be mistaken
 * for limpet, that line names a tag, and the lines that start with the tag are limpet's:
 *
 *     Output (only ~k7f3 lines are limpet's):
 *     compiling
 *     ~k7f3 [×9]
 *     ~k7f3 end of output
 */
import { imitatesOwnLines } from "./own-lines.ts";

/** What a program printed or shows. */
export interface Printed {
  /** Default `Output`. */
  readonly label?: "Output" | "Screen" | "Changed since your last read";
  readonly text: string;
  /** What background jobs printed. */
  readonly background?: string;
  /** In both texts, only limpet's own lines contain it. */
  readonly tag: string;
  /** Without a text, the answer ends with the header. Default false. */
  readonly isOptional?: boolean;
}

/** The line feed before a line with the tag belongs to that line, so that the output is exact. */
export function answerText(header: readonly string[], printed: Printed): string {
  const { label = "Output", text, background = "", tag, isOptional = false } = printed;
  if (isOptional && text === "") return header.join("\n");
  const isImitating = imitatesOwnLines(text, tag) || imitatesOwnLines(background, tag);
  const isPlain = !isImitating && !text.includes(tag) && background === "";
  if (isPlain) return [...header, `${label}:`, text].join("\n");
  return [
    ...header,
    `${label} (only ${tag} lines are limpet's):`,
    text,
    ...(background === "" ? [] : [`${tag} background output:`, background]),
    ...(isImitating ? [`${tag} end of output`] : []),
  ].join("\n");
}
