/**
 * Corrects faults of the library that draws, in one terminal of it. Each is compared with a real xterm.
 *
 * The library calls its own methods by name, so one of them can be replaced. These names are not part of its interface:
 * if a new version renames one, the cases in test/support/screen/grid-cases.ts fail.
 */

interface Buffer {
  x: number;
  y: number;
  /** Counts from the oldest line that is kept, so that it moves when the screen scrolls. */
  savedY: number;
  readonly ybase: number;
  scrollTop: number;
  scrollBottom: number;
}

interface Colours {
  fg: number;
  bg: number;
  readonly extended: object;
}

interface Params {
  readonly params: ArrayLike<number>;
}

type Charset = Readonly<Record<string, string>>;

interface InputHandler {
  readonly _activeBuffer: Buffer;
  readonly _curAttrData: Colours;
  readonly _bufferService: { readonly cols: number; readonly rows: number };
  /** A reset replaces the object with the modes. */
  readonly _coreService: { decPrivateModes: { origin: boolean } };
  readonly _charsetService: { setgCharset(level: number, charset: Charset | undefined): void };
  _restrictCursor(): void;
  _moveCursor(cols: number, rows: number): void;
  cursorCharAbsolute(params: Params): boolean;
  charPosAbsolute(params: Params): boolean;
  saveCursor(): boolean;
  restoreCursor(): boolean;
  softReset(params: Params): boolean;
  screenAlignmentPattern(): boolean;
}

/** The part of the library's terminal that has the faults. */
export interface FaultyCore {
  readonly _inputHandler: InputHandler;
}

export function correctLibrary({ _inputHandler: handler }: FaultyCore): void {
  correctSaving(handler);
  correctMovement(handler);
  correctAlignment(handler);
  correctGraphics(handler);
  correctUnderlines(handler);
}

interface Saved {
  readonly row: number;
  readonly isOrigin: boolean;
  readonly isWrapPending: boolean;
}

/**
 * DECSC, DECRC and modes 1048 and 1049: the library forgets origin mode and that the next character wraps, and moves
 * the saved caret with text that scrolls.
 */
function correctSaving(handler: InputHandler): void {
  const saved = new WeakMap<Buffer, Saved>();
  const { _coreService: service } = handler;
  const [save, restore, reset] = [handler.saveCursor, handler.restoreCursor, handler.softReset];
  handler.saveCursor = () => {
    const { _activeBuffer: buffer } = handler;
    const isWrapPending = buffer.x >= handler._bufferService.cols;
    saved.set(buffer, { row: buffer.y, isOrigin: service.decPrivateModes.origin, isWrapPending });
    return save.call(handler);
  };
  handler.restoreCursor = () => {
    const { _activeBuffer: buffer } = handler;
    const { cols } = handler._bufferService;
    const { row, isOrigin, isWrapPending } = saved.get(buffer) ?? { row: 0, isOrigin: false, isWrapPending: false };
    // The saved position counts from the top of the screen in either mode.
    service.decPrivateModes.origin = false;
    buffer.savedY = buffer.ybase + row;
    restore.call(handler);
    service.decPrivateModes.origin = isOrigin;
    if (isWrapPending && buffer.x === cols - 1) buffer.x = cols;
    return true;
  };
  handler.softReset = (params) => {
    saved.delete(handler._activeBuffer);
    return reset.call(handler, params);
  };
}

/** In origin mode, the library counts relative movements from the top of the region instead of from the caret. */
function correctMovement(handler: InputHandler): void {
  const moveTo = (col: number, row: number) => {
    const { _activeBuffer: buffer } = handler;
    buffer.x = col;
    buffer.y = row;
    handler._restrictCursor();
  };
  const toColumn = ({ params }: Params) => {
    moveTo((params[0] || 1) - 1, handler._activeBuffer.y);
    return true;
  };
  handler._moveCursor = (cols, rows) => {
    handler._restrictCursor();
    moveTo(handler._activeBuffer.x + cols, handler._activeBuffer.y + rows);
  };
  handler.cursorCharAbsolute = toColumn;
  handler.charPosAbsolute = toColumn;
}

/** DECALN: the library draws in the current colours and leaves the region as it is. */
function correctAlignment(handler: InputHandler): void {
  const align = handler.screenAlignmentPattern;
  handler.screenAlignmentPattern = () => {
    const { _activeBuffer: buffer, _curAttrData: colours } = handler;
    const { fg, bg } = colours;
    buffer.scrollTop = 0;
    buffer.scrollBottom = handler._bufferService.rows - 1;
    colours.fg = 0;
    colours.bg = 0;
    align.call(handler);
    colours.fg = fg;
    colours.bg = bg;
    return true;
  };
}

/** In line-drawing mode `_` is a blank. */
function correctGraphics({ _charsetService: charsets }: InputHandler): void {
  const set = charsets.setgCharset;
  charsets.setgCharset = (level, charset) =>
    set.call(charsets, level, charset?.["q"] === "─" ? { ...charset, _: " " } : charset);
}

/** SGR 59 stores -1, which the library reads back as white. Corrected for all its terminals: they share the setter. */
function correctUnderlines({ _curAttrData }: InputHandler): void {
  const shared = Object.getPrototypeOf(_curAttrData.extended);
  const property = Object.getOwnPropertyDescriptor(shared, "underlineColor");
  const set = property?.set;
  if (!set || corrected.has(shared)) return;
  corrected.add(shared);
  Object.defineProperty(shared, "underlineColor", {
    ...property,
    set(colour: number) {
      set.call(this, colour === -1 ? 0 : colour);
    },
  });
}

const corrected = new WeakSet<object>();
