/** Writes DER, the encoding of certificates: a tag, a length and the content of each value. Pure. */

export function derInteger(value: number | Uint8Array): Buffer {
  const bytes = typeof value === "number" ? Buffer.of(value) : Buffer.from(value);
  // The highest bit is the sign.
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return encode(0x02, isNegative ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

export function derBoolean(value: "true" | "false"): Buffer {
  return encode(0x01, Buffer.of(value === "true" ? 0xff : 0));
}

export function derBits(bytes: Uint8Array, unusedBits = 0): Buffer {
  return encode(0x03, Buffer.concat([Buffer.of(unusedBits), bytes]));
}

export function derOctets(bytes: Uint8Array): Buffer {
  return encode(0x04, bytes);
}

/** `id` as numbers with dots. */
export function derObjectId(id: string): Buffer {
  const [first = 0, second = 0, ...rest] = id.split(".").map(Number);
  return encode(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

export function derText(text: string): Buffer {
  return encode(0x0c, Buffer.from(text));
}

/** To the second, in UTC. */
export function derTime(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/\D/g, "").slice(0, 14);
  // Certificates write years up to 2049 with two digits.
  const isShort = Number(digits.slice(0, 4)) < 2050;
  return isShort ? encode(0x17, Buffer.from(`${digits.slice(2)}Z`)) : encode(0x18, Buffer.from(`${digits}Z`));
}

export function derSequence(...parts: readonly Uint8Array[]): Buffer {
  return encode(0x30, Buffer.concat(parts));
}

export function derSet(...parts: readonly Uint8Array[]): Buffer {
  return encode(0x31, Buffer.concat(parts));
}

/** A context-specific constructed field: `[number]` around other values. */
export function derField(number: number, content: Uint8Array): Buffer {
  return encode(0xa0 | number, content);
}

/** A context-specific primitive field: `[number]` around bytes. */
export function derPlainField(number: number, content: Uint8Array): Buffer {
  return encode(0x80 | number, content);
}

function encode(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = Buffer.from(length.toString(16).padStart(length < 0x100 ? 2 : length < 0x10000 ? 4 : 6, "0"), "hex");
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

/** Seven bits per byte. All bytes except the last have the highest bit set. */
function base128(value: number): number[] {
  const rest = Math.floor(value / 128);
  const last = value % 128;
  return rest === 0 ? [last] : [...base128(rest).map((byte) => byte | 0x80), last];
}
