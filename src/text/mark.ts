/**
 * What limpet itself writes into the text of an output: a fold's count, the place of a cut, a note about missing bytes.
 * A program can print the same words. A tag that is chosen after the program printed them tells the two apart.
 */
export interface MarkOptions {
  /**
   * Placed, followed by a space, before each mark that limpet writes into the text, so that a program cannot imitate
   * one. Each mark then begins a line. Choose a random word for each reading. Default: no tag.
   */
  readonly tag?: string | undefined;
}

export function markOf(text: string, tag: string | undefined): string {
  return tag === undefined ? text : `${tag} ${text}`;
}
