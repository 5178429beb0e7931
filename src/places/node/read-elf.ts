/** Reads from an ELF file for which machine the program was built, and which loader and libraries it needs. Pure. */

export interface Elf {
  /** As `uname -m` names it, or the number in the file. */
  readonly machine: string;
  /** The path of its loader; undefined for a static program. */
  readonly loader: string | undefined;
  /** The libraries that it needs, by name. */
  readonly libraries: readonly string[];
}

const MACHINES: Readonly<Record<number, string>> = { 62: "x86_64", 183: "aarch64" };
const LOAD = 1;
const DYNAMIC = 2;
const LOADER = 3;
const NEEDED = 1n;
const STRINGS = 5n;

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: bigint;
  readonly size: number;
}

/** Undefined for a file that is not a complete 64-bit little-endian ELF file. */
export function readElf(file: Buffer): Elf | undefined {
  try {
    return file.subarray(0, 6).equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])) ? parse(file) : undefined;
  } catch {
    return undefined;
  }
}

function parse(file: Buffer): Elf {
  const segments = segmentsOf(file);
  const loader = segments.find(({ type }) => type === LOADER);
  return {
    machine: MACHINES[file.readUInt16LE(18)] ?? String(file.readUInt16LE(18)),
    loader: loader && textAt(file, loader.offset),
    libraries: librariesOf(file, segments),
  };
}

function segmentsOf(file: Buffer): readonly Segment[] {
  const [table, entryBytes, count] = [Number(file.readBigUInt64LE(32)), file.readUInt16LE(54), file.readUInt16LE(56)];
  return Array.from({ length: count }, (_, index) => {
    const at = table + index * entryBytes;
    return {
      type: file.readUInt32LE(at),
      offset: Number(file.readBigUInt64LE(at + 8)),
      address: file.readBigUInt64LE(at + 16),
      size: Number(file.readBigUInt64LE(at + 32)),
    };
  });
}

/** The dynamic section is a list of tags and values. A name is a position in the table of strings. */
function librariesOf(file: Buffer, segments: readonly Segment[]): readonly string[] {
  const dynamic = segments.find(({ type }) => type === DYNAMIC);
  if (!dynamic) return [];
  const entries = Array.from({ length: Math.floor(dynamic.size / 16) }, (_, index) => {
    const at = dynamic.offset + index * 16;
    return { tag: file.readBigInt64LE(at), value: file.readBigUInt64LE(at + 8) };
  });
  const strings = entries.find(({ tag }) => tag === STRINGS)?.value ?? 0n;
  const home = segments.find(
    ({ type, address, size }) => type === LOAD && strings >= address && strings < address + BigInt(size),
  );
  if (!home) return [];
  const table = home.offset + Number(strings - home.address);
  return entries.filter(({ tag }) => tag === NEEDED).map(({ value }) => textAt(file, table + Number(value)));
}

function textAt(file: Buffer, at: number): string {
  return file.subarray(at, file.indexOf(0, at)).toString("latin1");
}
