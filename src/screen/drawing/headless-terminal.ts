/**
 * A terminal without a window: text and sequences in, cells out. The only file that imports the library that draws.
 *
 * It gets only what the guard passes. We drive it synchronously (`writeSync`, which is not in the library's types). By
 * itself the library draws from a timer, where nobody could catch what it throws.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import xterm from "@xterm/headless";
import type { DrawingModes, TerminalModes } from "../../base/terminal-modes.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { sgrOf } from "../painting/coloured-rows.ts";
import type { Caret, Cell } from "../snapshot.ts";
import { cellProperties, cellWidth } from "./cell-width.ts";
import {
  cellOf,
  type Look,
  lookOf,
  PLAIN_LOOK,
  type RawCell,
  type RawLook,
  type Run,
  rowKeyOf,
  runsOf,
} from "./cells.ts";
import { correctLibrary, type FaultyCore } from "./correct-library.ts";
import { followModes } from "./follow-modes.ts";
import { ModeWatch } from "./mode-watch.ts";

/** After this long, drawing yields to other work. */
const TURN_MS = 4;
/** The fewest that the library accepts. */
const LEAST_COLS = 2;
const MOUSE: Readonly<Record<string, TerminalModes["mouse"]>> = {
  x10: "x10",
  vt200: "press",
  drag: "drag",
  any: "any",
};

interface Core extends FaultyCore {
  writeSync(text: string): void;
  readonly _inputHandler: FaultyCore["_inputHandler"] & { readonly _curAttrData: RawLook };
  /** The buffer that is shown. */
  readonly buffer: { readonly scrollTop: number; readonly scrollBottom: number };
}

interface TerminalOptions {
  readonly size: TerminalSize;
  readonly scrollback: number;
  /**
   * Where a line feed moves the caret: straight down, as terminals do, or also to the left, for the output of pipes.
   */
  readonly lineEnds?: "as they are" | "to the left";
  /** Called with what the terminal answers to a question. Default: the answer is dropped. */
  readonly onReply?: ((text: string) => void) | undefined;
}

/** How much was drawn. */
interface Drawn {
  /** Of processor time. */
  readonly spentMs: number;
  /** What was skipped for lack of time. */
  readonly leftBytes: number;
}

export class HeadlessTerminal {
  readonly #terminal: xterm.Terminal;
  readonly #core: Core;
  readonly #watch = new ModeWatch();
  #lostBytes = 0;

  constructor({ size, scrollback, onReply, lineEnds }: TerminalOptions) {
    this.#terminal = new xterm.Terminal({
      cols: Math.max(LEAST_COLS, size.cols),
      rows: size.rows,
      scrollback,
      convertEol: lineEnds === "to the left",
      allowProposedApi: true,
      logLevel: "off",
    });
    this.#core = (this.#terminal as unknown as { readonly _core: Core })._core;
    this.#terminal.unicode.register({ version: "limpet", wcwidth: cellWidth, charProperties: cellProperties });
    this.#terminal.unicode.activeVersion = "limpet";
    correctLibrary(this.#core);
    if (onReply) this.#terminal.onData(onReply);
    followModes(this.#terminal.parser, this.#watch);
  }

  /** Bytes during which the library threw: they may or may not have been drawn. */
  get lostBytes(): number {
    return this.#lostBytes;
  }

  get size(): TerminalSize {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === "alternate";
  }

  get caret(): Caret {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const { isCaretVisible, caretShape } = this.#watch;
    return {
      row: cursorY,
      col: cursorX,
      at: this.text(cursorY, 0, cursorX).length,
      isVisible: isCaretVisible,
      ...(caretShape === undefined ? {} : { shape: caretShape }),
    };
  }

  get modes(): TerminalModes {
    const { modes } = this.#terminal;
    return {
      applicationCursor: modes.applicationCursorKeysMode,
      applicationKeypad: modes.applicationKeypadMode,
      bracketedPaste: modes.bracketedPasteMode,
      modifyOtherKeys: this.#watch.modifyOtherKeys,
      mouse: MOUSE[modes.mouseTrackingMode] ?? "none",
      mouseEncoding: this.#watch.mouseEncoding,
      focusEvents: modes.sendFocusMode,
    };
  }

  get drawingModes(): DrawingModes {
    const { modes, rows } = this.#terminal;
    const { scrollTop: top, scrollBottom: bottom } = this.#core.buffer;
    return {
      wrap: modes.wraparoundMode,
      insert: modes.insertMode,
      origin: modes.originMode,
      region: top === 0 && bottom === rows - 1 ? null : { top, bottom },
      pen: penOf(lookOf(this.#core._inputHandler._curAttrData)),
    };
  }

  /**
   * Draws for at most `mostMs` of processor time: by the clock, a busy machine would skip output that is cheap to draw.
   */
  async write(chunks: readonly string[], mostMs: number = Number.POSITIVE_INFINITY): Promise<Drawn> {
    let spentMs = 0;
    let startedMs = performance.now();
    let startedCpuMs = cpuMs();
    for (const [index, chunk] of chunks.entries()) {
      if (spentMs > mostMs) return { spentMs, leftBytes: Buffer.byteLength(chunks.slice(index).join("")) };
      this.#draw(chunk);
      if (performance.now() - startedMs < TURN_MS) continue;
      spentMs += cpuMs() - startedCpuMs;
      await nextTurn();
      startedMs = performance.now();
      startedCpuMs = cpuMs();
    }
    return { spentMs: spentMs + cpuMs() - startedCpuMs, leftBytes: 0 };
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#terminal.resize(Math.max(LEAST_COLS, cols), rows);
  }

  /** How many lines have scrolled off the top and are kept. */
  get scrolledLines(): number {
    return this.#terminal.buffer.active.baseY;
  }

  /** The text of a row; `-1` is the last one that has scrolled off the top. */
  line(row: number): string {
    const { active } = this.#terminal.buffer;
    return withoutBlanks(active.getLine(active.baseY + row)?.translateToString(true) ?? "");
  }

  /** The text in some columns of a row, blanks included. */
  text(row: number, from: number, to: number): string {
    const { active } = this.#terminal.buffer;
    return active.getLine(active.baseY + row)?.translateToString(false, from, to) ?? "";
  }

  /** Whether the text of a row continues in the next one. */
  isWrapped(row: number): boolean {
    const { active } = this.#terminal.buffer;
    return row + 1 < this.#terminal.rows && (active.getLine(active.baseY + row + 1)?.isWrapped ?? false);
  }

  runs(row: number): readonly Run[] {
    return runsOf(this.#cellsOf(row), this.#terminal.cols);
  }

  /** Equal only for rows that look the same. */
  rowKey(row: number): string {
    return rowKeyOf(this.#cellsOf(row), this.#terminal.cols);
  }

  cells(row: number): readonly Cell[] {
    const at = this.#cellsOf(row);
    return Array.from({ length: this.#terminal.cols }, (_, col) => {
      const cell = at(col);
      return cell === undefined || isEmpty(cell) ? EMPTY_CELL : cellOf(cell);
    });
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #cellsOf(row: number): (col: number) => RawCell | undefined {
    const { active } = this.#terminal.buffer;
    const line = active.getLine(active.baseY + row);
    const cell = active.getNullCell();
    return (col) => line?.getCell(col, cell);
  }

  #draw(chunk: string): void {
    try {
      this.#core.writeSync(chunk);
    } catch {
      // An error of the library must not stop us: what it was drawing is lost, and counted.
      this.#lostBytes += Buffer.byteLength(chunk);
      this.#terminal.reset();
      this.#watch.reset();
    }
  }
}

const EMPTY_CELL: Cell = { text: "", width: 1, ...PLAIN_LOOK };

/** Most cells are empty: one object stands for all of them. */
function isEmpty(cell: RawCell): boolean {
  return cell.isAttributeDefault() && cell.getWidth() === 1 && cell.getChars() === "";
}

/** SGR 8 hides text; cells that are hidden are painted as blanks instead. */
function penOf(look: Look): string {
  return [sgrOf(look), look.invisible ? "8" : ""].filter((part) => part !== "").join(";");
}

function cpuMs(): number {
  return process.cpuUsage().user / 1_000;
}

function withoutBlanks(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}
