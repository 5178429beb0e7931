/**
 * Redacts a screen. A secret that is longer than a row continues in the next one, so rows that belong together are
 * searched together. Each character becomes one mask of the same width, so that columns stay where they are.
 */
import type { TextRedaction } from "../../safety/redaction/text-redaction.ts";
import type { Cell, Snapshot } from "../../screen/snapshot.ts";
import { charWidth } from "../../text/clean/char-width.ts";

const MASK = "*";
/** Takes two columns, as the character that it replaces. */
const WIDE_MASK = "＊";

type Known = Pick<TextRedaction, "masksOf">;

export function redactSnapshot(snapshot: Snapshot, known: Known): Snapshot {
  const { lines, wrapped, scrollback, cells, size } = snapshot;
  const isFull = (line: string) => line.length >= size.cols;
  const all = [...scrollback, ...lines];
  const continues = all.map((line, row) => isFull(line) || wrapped[row - scrollback.length] === true);
  const redacted = redactRows(
    all.map((line) => [...line]),
    { continues, known, mask: maskOf },
  ).map((row) => row.join(""));
  const shown = { lines: redacted.slice(scrollback.length), scrollback: redacted.slice(0, scrollback.length) };
  return { ...snapshot, ...shown, ...(cells ? { cells: redactCells(cells, { wrapped, size, known }) } : {}) };
}

type Cells = NonNullable<Snapshot["cells"]>;

function redactCells(
  rows: Cells,
  { wrapped, size, known }: Pick<Snapshot, "wrapped" | "size"> & { known: Known },
): Cells {
  const isFull = (row: readonly Cell[]) => (row[size.cols - 1]?.text ?? "").trim() !== "";
  const continues = rows.map((row, index) => wrapped[index] === true || isFull(row));
  const texts = rows.map((row) => row.map(({ text, width }) => (text === "" && width === 1 ? " " : text)));
  const redacted = redactRows(texts, { continues, known, mask: maskOf });
  return rows.map((row, at) =>
    row.map((cell, col) =>
      redacted[at]?.[col] === texts[at]?.[col] ? cell : { ...cell, text: redacted[at]?.[col] ?? "" },
    ),
  );
}

function maskOf(char: string): string {
  return charWidth(char) === 2 ? WIDE_MASK : MASK;
}

interface RowOptions {
  /** Whether each row continues in the next one. */
  readonly continues: readonly boolean[];
  readonly known: Known;
  readonly mask: (char: string) => string;
}

/** Each row is a list of characters. */
function redactRows(rows: readonly (readonly string[])[], { continues, known, mask }: RowOptions): string[][] {
  const redacted: string[][] = [];
  for (let from = 0; from < rows.length; from = redacted.length) {
    let to = from + 1;
    while (to < rows.length && continues[to - 1]) to++;
    const group = rows.slice(from, to);
    const masks = known.masksOf(Buffer.from(group.map((row) => row.join("")).join("")));
    let at = 0;
    for (const row of group) {
      redacted.push(
        row.map((char) => {
          const end = at + Buffer.byteLength(char);
          const isMasked = end > at && masks.subarray(at, end).includes(1);
          at = end;
          return isMasked ? mask(char) : char;
        }),
      );
    }
  }
  return redacted;
}
