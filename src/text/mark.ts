/**
 * What limpet itself writes into the text of an output: a fold's count, the place of a cut, notes about what is not
 * shown. A program can print the same words. A tag that is chosen after the program printed them tells the two apart.
 */
export interface MarkOptions {
  /**
   * Placed, followed by a space, before each mark that limpet writes into the text, so that a program cannot imitate
   * one. Each mark then begins a line. Choose a random word for each reading. Default: no tag.
   */
  readonly tag?: string | undefined;
}

/** Stands for what a full-screen program draws. */
export const ALTERNATE_SCREEN_NOTE = "[full-screen program: its screen is not shown here; use read_screen]";

export function markOf(text: string, tag: string | undefined): string {
  return tag === undefined ? text : `${tag} ${text}`;
}

export function droppedNote(bytes: number): string {
  return `[${bytes} bytes of output were dropped here]`;
}

/** `kind` describes them, such as "gzip" or "beginning 8f 3a 01 c2". */
export function binaryNote(bytes: number, kind: string): string {
  return `[binary data not shown here: ${bytes} bytes, ${kind}; raw shows it]`;
}

/** For the content of a control string without a terminator. */
export function hiddenStringNote(bytes: number): string {
  return `[unfinished control string not shown here: ${bytes} ${bytes === 1 ? "byte" : "bytes"}; raw shows it]`;
}
