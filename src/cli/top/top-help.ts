/** What `?` shows in `limpet top`, and the line that is always there. Pure. */

/** Each fits 40 columns. */
const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["↑ ↓ j k", "select; g, G: first, last"],
  ["Enter", "attach; Ctrl+] d detaches"],
  ["v", "attach read-only"],
  ["p", "show or hide its screen"],
  ["h", "hold agents off, or release"],
  ["x y", "kill it and all it started"],
  ["A", "show what needs approval"],
  ["/", "filter; Enter keeps, Esc clears"],
  ["e", "show or hide ended sessions"],
  ["?", "show or hide this help"],
  ["q", "quit"],
];

/** The first line that fits. */
const HINTS: readonly string[] = [
  "↑↓ select  Enter attach  h hold  x kill  p screen  / filter  e ended  ? help  q quit",
  "Enter attach  h hold  x kill  / filter  ? help  q quit",
  "Enter attach  x kill  ? help  q quit",
  "? help  q quit",
];

export function hintFor(cols: number): string {
  return HINTS.find((hint) => hint.length <= cols) ?? "";
}

export function helpLines(): readonly string[] {
  const width = Math.max(...KEYS.map(([keys]) => keys.length));
  return KEYS.map(([keys, what]) => `${keys.padEnd(width)}  ${what}`);
}
