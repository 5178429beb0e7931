/**
 * Pure: a TrueType font without what only screens of low resolution need. Hints are programs that move points onto
 * pixels; our renderer does not run them, and they are a third of the file. Outlines, widths and characters stay as
 * they are.
 */

/** Programs of hints and their values, tables of sizes, names of glyphs, and marks of the font's editor. */
const DROPPED = new Set(["fpgm", "prep", "cvt ", "gasp", "hdmx", "LTSH", "VDMX", "DSIG", "FFTM", "PfEd"]);
const POST_WITHOUT_NAMES = 0x0003_0000;
const POST_HEADER_BYTES = 32;
const CHECKSUM_OF_FONT = 0xb1b0_afba;
/** Flags of the parts of a composite glyph. */
const [WORDS, SCALE, MORE, TWO_SCALES, MATRIX, INSTRUCTIONS] = [0x1, 0x8, 0x20, 0x40, 0x80, 0x100];

export function slimFont(font) {
  const tables = readTables(font);
  for (const tag of DROPPED) tables.delete(tag);
  const head = Buffer.from(tables.get("head"));
  const { glyf, loca } = withoutHints(tables.get("glyf"), offsetsOf(tables.get("loca"), head.readInt16BE(50)));
  // The new offsets take four bytes each.
  head.writeInt16BE(1, 50);
  const post = Buffer.from(tables.get("post").subarray(0, POST_HEADER_BYTES));
  post.writeUInt32BE(POST_WITHOUT_NAMES, 0);
  return writeTables(font.readUInt32BE(0), new Map([...tables, ...Object.entries({ glyf, loca, head, post })]));
}

function readTables(font) {
  const count = font.readUInt16BE(4);
  const records = Array.from({ length: count }, (_, at) => font.subarray(12 + at * 16, 28 + at * 16));
  return new Map(
    records.map((record) => {
      const [offset, length] = [record.readUInt32BE(8), record.readUInt32BE(12)];
      return [record.toString("latin1", 0, 4), font.subarray(offset, offset + length)];
    }),
  );
}

function offsetsOf(loca, format) {
  return format === 0
    ? Array.from({ length: loca.length / 2 }, (_, at) => loca.readUInt16BE(at * 2) * 2)
    : Array.from({ length: loca.length / 4 }, (_, at) => loca.readUInt32BE(at * 4));
}

function withoutHints(glyf, offsets) {
  const glyphs = offsets.slice(1).map((end, at) => padded(withoutHint(glyf.subarray(offsets[at], end))));
  const loca = Buffer.alloc(offsets.length * 4);
  let offset = 0;
  for (const [at, glyph] of glyphs.entries()) {
    offset += glyph.length;
    loca.writeUInt32BE(offset, (at + 1) * 4);
  }
  return { glyf: Buffer.concat(glyphs), loca };
}

function withoutHint(glyph) {
  if (glyph.length === 0) return glyph;
  const contours = glyph.readInt16BE(0);
  return contours < 0 ? withoutHintOfParts(glyph) : withoutHintAt(glyph, 10 + contours * 2);
}

/** A simple glyph: the length of its program is at `at`. */
function withoutHintAt(glyph, at) {
  const length = glyph.readUInt16BE(at);
  return Buffer.concat([glyph.subarray(0, at), Buffer.alloc(2), glyph.subarray(at + 2 + length)]);
}

/** A composite glyph ends with its program. */
function withoutHintOfParts(glyph) {
  const kept = Buffer.from(glyph);
  let at = 10;
  for (let isMore = true; isMore; ) {
    const flags = kept.readUInt16BE(at);
    kept.writeUInt16BE(flags & ~INSTRUCTIONS, at);
    at += 4 + (flags & WORDS ? 4 : 2);
    if (flags & SCALE) at += 2;
    else if (flags & TWO_SCALES) at += 4;
    else if (flags & MATRIX) at += 8;
    isMore = (flags & MORE) !== 0;
  }
  return kept.subarray(0, at);
}

function writeTables(version, tables) {
  const tags = [...tables.keys()].sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const directory = Buffer.alloc(12 + tags.length * 16);
  directory.writeUInt32BE(version, 0);
  for (const [at, value] of [tags.length, power * 16, Math.log2(power), (tags.length - power) * 16].entries())
    directory.writeUInt16BE(value, 4 + at * 2);
  // The checksum of the font is that of everything while this field is 0.
  tables.get("head").writeUInt32BE(0, 8);
  let offset = directory.length;
  for (const [at, tag] of tags.entries()) {
    const record = directory.subarray(12 + at * 16);
    record.write(tag, 0, "latin1");
    for (const [field, value] of [checksum(tables.get(tag)), offset, tables.get(tag).length].entries())
      record.writeUInt32BE(value, 4 + field * 4);
    offset += padded(tables.get(tag)).length;
  }
  const font = () => Buffer.concat([directory, ...tags.map((tag) => padded(tables.get(tag)))]);
  tables.get("head").writeUInt32BE((CHECKSUM_OF_FONT - checksum(font())) >>> 0, 8);
  return font();
}

function checksum(bytes) {
  const whole = padded(bytes);
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0;
  return sum;
}

function padded(bytes) {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
