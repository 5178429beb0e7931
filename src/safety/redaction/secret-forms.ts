/** Pure: the forms in which programs print a secret. */

/** A shorter secret occurs in ordinary text all the time. */
export const MIN_SECRET_BYTES = 4;
/** A shorter line of a secret with several lines is not redacted on its own. */
const MIN_LINE_BYTES = 6;
/** Fewer characters of base64 also occur by chance. */
const MIN_BASE64_CHARS = 5;

/** The value itself first. Without duplicates. */
export function secretForms(value: string): readonly Buffer[] {
  const forms = [...plainForms(value), ...escapedForms(value), ...base64Forms(Buffer.from(value))];
  return [...new Set(forms)].map((form) => Buffer.from(form)).filter(({ length }) => length >= MIN_SECRET_BYTES);
}

/** A terminal prints a line feed as CR LF, and programs print one line of a key at a time. */
function plainForms(value: string): readonly string[] {
  if (!/[\r\n]/.test(value)) return [value];
  const lines = value.split(/\r?\n|\r/);
  const long = lines.flatMap((line) => [line, line.trim()]).filter((line) => Buffer.byteLength(line) >= MIN_LINE_BYTES);
  return [value, lines.join("\n"), lines.join("\r\n"), ...long];
}

/** As in URLs, in JSON, and as shells quote it (`set -x`, `export -p`, `printf %q`). */
function escapedForms(value: string): readonly string[] {
  const url = percentEncoded(value, /[A-Za-z0-9\-_.~]/);
  const withSlash = percentEncoded(value, /[A-Za-z0-9\-_.~/]/);
  const form = url.replaceAll("%20", "+");
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [
    ...[encodeWellFormed(value), url, withSlash, form].flatMap((each) => [each, lowerHex(each)]),
    json,
    json.replaceAll("/", "\\/"),
    ascii,
    value.replaceAll("'", "'\\''"),
    value.replace(/["$`\\]/g, "\\$&"),
    value.replace(/[^A-Za-z0-9_@%+=:,./-]/g, "\\$&"),
  ];
}

function percentEncoded(value: string, safe: RegExp): string {
  const encoded = [...Buffer.from(value)].map((byte) => {
    const char = String.fromCharCode(byte);
    return byte < 0x80 && safe.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return encoded.join("");
}

/** `encodeURIComponent`, which throws for half a surrogate pair. */
function encodeWellFormed(value: string): string {
  return percentEncoded(value, /[A-Za-z0-9\-_.!~*'()]/);
}

function lowerHex(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * What a value becomes in the base64 of something that contains it depends on its position there, modulo 3. The
 * characters at both ends that also depend on the neighbours are left out.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const alone = [bytes, Buffer.concat([bytes, Buffer.from("\n")])].map((each) => each.toString("base64"));
  const standard = [...inside, ...alone.map((each) => each.replace(/=+$/, ""))];
  const safe = standard.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"));
  return [...standard, ...safe].filter(({ length }) => length >= MIN_BASE64_CHARS);
}
