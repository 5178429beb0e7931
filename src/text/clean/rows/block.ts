import { Row } from "./row.ts";

/** Finished lines that arrived in bulk, kept as one string until the caret moves there. */
export interface Block {
  readonly text: string;
  readonly count: number;
  readonly cursor: number;
  readonly isAscii: boolean;
  readonly isGiven: boolean;
}

/** How many lines there are, and the number of the last one that is longer than `longest`, from 1; 0 if none is. */
export function measureLines(text: string, longest: number): { readonly count: number; readonly lastLong: number } {
  let count = 0;
  let lastLong = 0;
  let from = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
    count++;
    if (at - from > longest) lastLong = count;
    from = at + 1;
  }
  return { count, lastLong };
}

/** Turns the last `wanted` lines of a block into rows. */
export function unpackBlock(block: Block, wanted: number): { readonly rest: Block[]; readonly rows: Row[] } {
  const count = Math.min(wanted, block.count);
  let from = block.text.length;
  for (let i = 0; i < count; i++) from = from < 2 ? 0 : block.text.lastIndexOf("\n", from - 2) + 1;
  const lines = block.text.slice(from, -1).split("\n");
  const rows = lines.map((text) => {
    const row = new Row(block.cursor, text);
    if (block.isGiven) row.given = row.shown();
    return row;
  });
  const rest = from === 0 ? [] : [{ ...block, text: block.text.slice(0, from), count: block.count - count }];
  return { rest, rows };
}
