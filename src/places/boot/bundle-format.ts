/** Packs files into one buffer: a line of JSON with their paths and lengths, then their content. */

export interface BundledFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly content: Buffer;
}

/** The result does not depend on the order of the files. */
export function packFiles(files: readonly BundledFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const index = sorted.map(({ path, content }) => [path, content.length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...sorted.map(({ content }) => content)]);
}

export function unpackFiles(packed: Buffer): readonly BundledFile[] {
  const end = packed.indexOf(0x0a);
  const index = JSON.parse(packed.subarray(0, end).toString()) as readonly (readonly [path: string, bytes: number])[];
  let from = end + 1;
  return index.map(([path, bytes]) => {
    const content = packed.subarray(from, from + bytes);
    from += bytes;
    return { path, content };
  });
}
