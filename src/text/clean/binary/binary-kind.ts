/** Names binary data by its first bytes. */

export interface BinaryKind {
  readonly name: string;
  /** Such data contains long pieces of text, which do not mean that it has ended. */
  readonly hasText: boolean;
  /** The letters in front of the first odd byte that belong to the data. */
  readonly letters: string;
}

/** The first bytes of each kind: letters, then the first odd byte and what follows it. */
const KINDS: readonly (readonly [letters: string, odd: string, name: string, text?: "text"])[] = [
  ["", "\x7fELF", "ELF", "text"],
  ["MZ", "", "Windows program", "text"],
  ["", "\xfe\xed\xfa\xce", "Mach-O", "text"],
  ["", "\xfe\xed\xfa\xcf", "Mach-O", "text"],
  ["", "\xcf\xfa\xed\xfe", "Mach-O", "text"],
  ["", "\xca\xfe\xba\xbe", "Java class", "text"],
  ["", "\0asm", "WebAssembly", "text"],
  ["SQLite format 3", "\0", "SQLite", "text"],
  ["", "\0\x01\0\0", "TrueType font", "text"],
  ["", "\x1f\x8b", "gzip"],
  ["BZh91AY&SY", "", "bzip2"],
  ["", "\xfd7zXZ", "xz"],
  ["(", "\xb5\x2f\xfd", "zstd"],
  ["", "\x04\x22\x4d\x18", "lz4"],
  ["7z", "\xbc\xaf\x27\x1c", "7z"],
  ["PK", "\x03\x04", "zip"],
  ["", "\x89PNG", "PNG"],
  ["", "\xff\xd8\xff", "JPEG"],
  ["GIF87a", "", "GIF"],
  ["GIF89a", "", "GIF"],
  ["RIFF", "", "RIFF"],
  ["OggS", "\0", "Ogg"],
  ["ID3", "", "MP3"],
  ["", "\xff\xfe", "UTF-16 text"],
  ["", "\xfe\xff", "UTF-16 text"],
];

/** Enough to compare, and to recognise. */
const SHOWN_BYTES = 4;
/** Any data may begin with some letters. If nothing else is on the line, they are taken for a part of it. */
const MOST_STRAY_LETTERS = 4;

/** How much of the text in front of an odd byte is compared. */
export const MOST_LETTERS: number = Math.max(...KINDS.map(([letters]) => letters.length));

/** The kind of data that begins with the end of the line `before`, or with the odd byte after it. */
export function binaryKind(before: string, odd: Uint8Array): BinaryKind {
  const magic = String.fromCharCode(...odd.subarray(0, SHOWN_BYTES));
  const found = KINDS.find(([letters, begin]) => before.endsWith(letters) && magic.startsWith(begin));
  if (found) return { name: found[2], hasText: found[3] !== undefined, letters: found[0] };
  const letters = before.length <= MOST_STRAY_LETTERS && /^[ -~]*$/.test(before) ? before : "";
  const beginning = Buffer.from(letters + magic, "latin1").subarray(0, SHOWN_BYTES);
  const hex = [...beginning].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return { name: `beginning ${hex}`, hasText: false, letters };
}
