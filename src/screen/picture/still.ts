/** One picture of an animation, in pieces that can be compared with those of others: its rows, and the caret. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Cell, Snapshot } from "../snapshot.ts";
import { type DrawnCaret, drawnCaret } from "./svg/drawn-caret.ts";
import { backgrounds, drawings } from "./svg/layers.ts";
import { type PaintedCell, paintedRow, withCaret } from "./svg/painted-cells.ts";
import { textRuns } from "./svg/text-runs.ts";
import type { Theme } from "./svg/theme.ts";

export interface Still {
  /** Since the beginning of the animation; it is shown until the next one. */
  readonly atMs: number;
  readonly size: TerminalSize;
  /** Per row, as SVG elements in the first row's place: equal rows are equal texts. Without the caret. */
  readonly grounds: readonly string[];
  /** The same for the text of each row, in the colours that it has on the caret. */
  readonly texts: readonly string[];
  readonly caret: DrawnCaret | undefined;
  /** The drawn characters that the texts use. */
  readonly shapes: ReadonlyMap<string, string>;
}

/** A screen that can be looked at row by row. */
export interface RowScreen extends Pick<Snapshot, "size" | "caret"> {
  /** Equal only for rows that look alike. */
  rowKey(row: number): string;
  cells(row: number): readonly Cell[];
}

interface DrawnRow {
  readonly ground: string;
  readonly text: string;
  readonly shapes: ReadonlyMap<string, string>;
}

/** The size of the cache of rows, in characters. With it, a row that scrolls is drawn only once. */
const MOST_REMEMBERED = 16 * 1024 * 1024;

/** Draws stills of one screen after the other. */
export class StillPainter {
  readonly #theme: Theme;
  #rows = new Map<string, DrawnRow>();
  #remembered = 0;

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  draw(atMs: number, screen: RowScreen): Still {
    const { size } = screen;
    const caret = drawnCaret(screen, screen.cells(Math.min(screen.caret.row, size.rows - 1)));
    const rows = Array.from({ length: size.rows }, (_, row) => {
      const drawn = this.#row(screen, row);
      return caret?.shape === "block" && caret.row === row ? this.#onCaret(drawn, screen.cells(row), caret) : drawn;
    });
    return {
      atMs,
      size,
      grounds: rows.map(({ ground }) => ground),
      texts: rows.map(({ text }) => text),
      caret,
      shapes: new Map(rows.flatMap(({ shapes }) => [...shapes])),
    };
  }

  #row(screen: RowScreen, row: number): DrawnRow {
    const key = screen.rowKey(row);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const painted = paintedRow(withoutEmptyEnd(screen.cells(row)), 0, this.#theme);
    const drawn = { ground: backgrounds([painted], this.#theme).join(""), ...writing(painted) };
    if (this.#remembered > MOST_REMEMBERED) {
      this.#rows = new Map();
      this.#remembered = 0;
    }
    this.#rows.set(key, drawn);
    this.#remembered += key.length + drawn.ground.length + drawn.text.length;
    return drawn;
  }

  /** The block itself is drawn elsewhere: here it is only the colour of what stands on it. */
  #onCaret({ ground }: DrawnRow, cells: readonly Cell[], caret: DrawnCaret): DrawnRow {
    return { ground, ...writing(withCaret(paintedRow(cells, 0, this.#theme), caret, this.#theme)) };
  }
}

function writing(row: readonly PaintedCell[]): Pick<DrawnRow, "text" | "shapes"> {
  const { shapes, elements } = drawings([row], () => true);
  return { text: [...textRuns(row, () => true), ...elements].join(""), shapes };
}

/** Nothing is drawn where nothing was written. */
function withoutEmptyEnd(cells: readonly Cell[]): readonly Cell[] {
  const last = cells.findLastIndex(({ text, bg, inverse, underline, strike, overline }) => {
    const isPlain = bg === null && !inverse && underline === "none" && !strike && !overline;
    return text !== "" || !isPlain;
  });
  return cells.slice(0, last + 1);
}

/** Whether both look the same. */
export function looksLike(one: Still, other: Still): boolean {
  return (
    one.size.cols === other.size.cols &&
    one.size.rows === other.size.rows &&
    one.texts.every((text, row) => text === other.texts[row]) &&
    one.grounds.every((ground, row) => ground === other.grounds[row]) &&
    JSON.stringify(one.caret) === JSON.stringify(other.caret)
  );
}

/** What all of them fit into. */
export function largestSize(stills: readonly Still[]): TerminalSize {
  return stills.reduce(
    ({ cols, rows }, { size }) => ({ cols: Math.max(cols, size.cols), rows: Math.max(rows, size.rows) }),
    { cols: 1, rows: 1 },
  );
}
