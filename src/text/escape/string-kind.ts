/**
 * Where a control string ends that has lost its terminator. Without a bound, two bytes (ESC P) would hide all output
 * after them.
 *
 * A line feed ends every string but one: sixel images contain line feeds. Images are long, so they have a larger bound,
 * and the two kinds of images with an alphabet of their own end at the first byte outside it.
 */

/** One kind of control string. */
export interface StringKind {
  /** The most content that it may have. What follows is text again. */
  readonly maxBytes: number;
  /** 1 for each byte that ends it. */
  readonly ends: Uint8Array;
}

const BEL = 0x07;
const LINE_FEED = 0x0a;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;

/** Clipboards (OSC 52) are the longest strings besides images: terminals accept about 100 KB. */
const MOST_TEXT_BYTES = 128 * 1024;
/** Inline images reach megabytes. */
const MOST_IMAGE_BYTES = 16 * 1024 * 1024;

const plain: StringKind = { maxBytes: MOST_TEXT_BYTES, ends: endedBy(ESC, CAN, SUB, LINE_FEED) };
const osc: StringKind = { maxBytes: MOST_TEXT_BYTES, ends: endedBy(ESC, CAN, SUB, LINE_FEED, BEL) };
const oscImage: StringKind = { maxBytes: MOST_IMAGE_BYTES, ends: osc.ends };
const kitty: StringKind = { maxBytes: MOST_IMAGE_BYTES, ends: endedByAllBut(/[\w+/=,;:-]/) };
const sixel: StringKind = { maxBytes: MOST_IMAGE_BYTES, ends: endedByAllBut(/[?-~!"#$;\d\r\n-]/) };

/** The longest beginning that tells the kinds apart: the parameters of a sixel image. */
const MOST_BEGINNING = 24;
/** iTerm2's inline images and files. */
const OSC_IMAGE = "1337;";

/**
 * The kind of a string, from its introducer (the byte after ESC) and the beginning of its content. Undefined if it
 * takes more content to know; until then the string is bounded like `unknownKind`.
 */
export function kindOfString(introducer: string, beginning: string): StringKind | undefined {
  switch (introducer) {
    case "P":
      if (/^[\d;]*q/.test(beginning)) return sixel;
      return /^[\d;]*$/.test(beginning) && beginning.length < MOST_BEGINNING ? undefined : plain;
    case "_":
      if (beginning === "") return undefined;
      return beginning.startsWith("G") ? kitty : plain;
    case "]":
      if (beginning.startsWith(OSC_IMAGE)) return oscImage;
      return OSC_IMAGE.startsWith(beginning) ? undefined : osc;
    default:
      return plain;
  }
}

/** What bounds a string as long as its kind is unknown. */
export function unknownKind(introducer: string): StringKind {
  return introducer === "]" ? osc : plain;
}

function endedBy(...bytes: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (bytes.includes(byte) ? 1 : 0));
}

function endedByAllBut(alphabet: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (alphabet.test(String.fromCharCode(byte)) ? 0 : 1));
}
