/** Quotes text as a literal that a shell reads back exactly. All strings are bytes, one character each (latin1). */

/** As bytes, one character each. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** `'…'`: every byte is literal, including line ends. */
export function singleQuote(bytes: string): string {
  return `'${bytes.replaceAll("'", "'\\''")}'`;
}
