/**
 * Pure: what can still be told of a JSON object whose middle is missing. A message that is too long has its id before or
 * after all the rest, and whoever sent it waits for an answer under that id.
 */

/** The first and the last part of a line. */
export interface LineEnds {
  readonly head: string;
  readonly tail: string;
}

const SCALAR = String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null`;
const FIELD = String.raw`("(?:[^"\\]|\\.)*")\s*:\s*(${SCALAR})\s*`;
const FIRST = new RegExp(String.raw`^\s*${FIELD},`);
/** A quotation mark within a string has a backslash before it, so this begins at none. */
const LAST = new RegExp(String.raw`,\s*${FIELD}$`);

/** The plain fields of the object itself that come before, or after, all others. */
export function outerFields({ head, tail }: LineEnds): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  let rest = head.trimStart();
  if (!rest.startsWith("{")) return {};
  rest = rest.slice(1);
  for (let found = FIRST.exec(rest); found; found = FIRST.exec(rest)) {
    note(fields, found);
    rest = rest.slice(found[0].length);
  }
  rest = tail.trimEnd();
  rest = rest.endsWith("}") ? rest.slice(0, -1) : "";
  for (let found = LAST.exec(rest); found; found = LAST.exec(rest)) {
    note(fields, found);
    rest = rest.slice(0, found.index);
  }
  return Object.fromEntries(fields);
}

function note(fields: Map<string, unknown>, [, name = "", value = ""]: RegExpExecArray): void {
  try {
    fields.set(JSON.parse(name) as string, JSON.parse(value));
  } catch {
    // No JSON, so no field.
  }
}
