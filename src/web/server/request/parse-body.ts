/** Turns the bytes of a request into a value, or says why it does not. Pure. */
import { MAX_WEB_JSON_DEPTH } from "../../../base/web-limits.ts";
import { badRequest, type Refusal } from "../refusal.ts";

export type ParsedBody =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Undefined if a body of this kind may be read. */
export function checkBodyHeaders(type: string | undefined, encoding: string | undefined): Refusal | undefined {
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    return badRequest(`A body with Content-Encoding ${JSON.stringify(encoding)} is refused. Send it as it is.`, 415);
  const [media = "", ...rest] = (type ?? "").toLowerCase().split(";");
  const isUtf8 = rest.every((part) => /^\s*charset="?utf-8"?\s*$/.test(part));
  if (media.trim() === "application/json" && isUtf8) return undefined;
  return badRequest("The body must be application/json in UTF-8. Set the Content-Type header.", 415);
}

export function parseBody(bytes: Uint8Array): ParsedBody {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return refused("The body is not UTF-8. Send JSON in UTF-8.");
  }
  // Checked before parsing, because later code may visit the value recursively.
  if (depthOf(text) > MAX_WEB_JSON_DEPTH)
    return refused(`The body is nested deeper than ${MAX_WEB_JSON_DEPTH} levels. Send a flatter value.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("The body is not JSON. Send one JSON value.");
  }
  // Code that copies objects may take this name for the prototype.
  if (namesPrototype(value)) return refused('The body has a field "__proto__". Leave it out.');
  return { kind: "value", value };
}

/** How many brackets are open at once outside of strings, at most. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (isString) {
      if (char === BACKSLASH) index += 1;
      else if (char === QUOTE) isString = false;
    } else if (char === QUOTE) isString = true;
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
  }
  return deepest;
}

function namesPrototype(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(namesPrototype);
}

function refused(message: string): ParsedBody {
  return { kind: "refused", refusal: badRequest(message) };
}
