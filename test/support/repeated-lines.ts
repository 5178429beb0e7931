/** Lines for the tests of folding: short to read in a test, and long where folding three of them must be worth it. */

export const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

/** Makes lines so long that to fold three of them is worth it: the cases of tests are short, to be read. */
const REST = ` ${"and so on, ".repeat(12)}`;
export const long = (text: string): string =>
  text.replace(/^(?!\[×\d+[\],])(.+)$/gm, `$1${REST}`).replace(/^(\[×\d+, .*)\]$/gm, `$1${REST}]`);
