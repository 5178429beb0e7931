/** The terminal of a session, drawn by xterm.js. It is the only file that knows xterm.js, and is loaded when needed. */
import { type ITheme, Terminal } from "@xterm/xterm";
import type { TerminalSize } from "../../../base/terminal-size.ts";
import { THEMES, type ThemeName } from "../../../screen/picture/svg/theme.ts";
import { type CellShape, fontSizeFor, type Room, sizeFor } from "./fit-terminal.ts";
import { swallowQuestions } from "./swallow-questions.ts";

export interface TerminalOptions {
  readonly theme: ThemeName;
  /** What a person types, as the bytes that a terminal sends. */
  readonly onTyped: (text: string) => void;
  readonly onPaste: (text: string) => void;
  /** A person clicked on a link that a program made. It is an address of the web. */
  readonly onLink: (address: string) => void;
  /** A person wants to leave the terminal by the keyboard. */
  readonly onLeave: () => void;
}

export interface ShownScreen {
  readonly size: TerminalSize;
  readonly bytes: Uint8Array;
  readonly isPlain: boolean;
}

/** Lines above the screen that stay. All output is in the tab "Output". */
const SCROLLBACK_LINES = 5_000;
const FONT = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace";
const KEY_NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

export class PageTerminal {
  readonly #terminal: Terminal;
  readonly #box: HTMLElement;
  readonly #cell: CellShape;

  constructor(box: HTMLElement, options: TerminalOptions) {
    this.#box = box;
    this.#terminal = new Terminal({
      // Nothing is typed until a person takes over.
      disableStdin: true,
      cursorInactiveStyle: "block",
      scrollback: SCROLLBACK_LINES,
      fontFamily: FONT,
      theme: themeFor(options.theme),
      minimumContrastRatio: 4.5,
      linkHandler: { activate: (_event, address) => isWebAddress(address) && options.onLink(address) },
    });
    swallowQuestions(this.#terminal);
    this.#terminal.attachCustomKeyEventHandler((event) => this.#takesKey(event, options.onLeave));
    this.#terminal.onData(options.onTyped);
    this.#terminal.open(box);
    box.addEventListener("paste", (event) => this.#paste(event, options.onPaste), { capture: true });
    this.#cell = measureCell(box);
  }

  /** Starts over with this screen. `isPlain`: it is not from a terminal, and its lines end without a return. */
  show({ size, bytes, isPlain }: ShownScreen): void {
    this.#terminal.reset();
    this.#terminal.options.convertEol = isPlain;
    this.resize(size);
    this.#terminal.write(bytes);
  }

  /** Calls `done` when it is drawn. */
  write(bytes: Uint8Array, done?: () => void): void {
    this.#terminal.write(bytes, done);
  }

  resize(size: TerminalSize): void {
    this.#terminal.resize(size.cols, size.rows);
    this.fitFont();
  }

  /** Draws the columns as large as they fit. */
  fitFont(): void {
    const { cols, rows } = this.#terminal;
    const fontSize = fontSizeFor({ cols, rows }, this.#room(), this.#cell);
    if (this.#terminal.options.fontSize !== fontSize) this.#terminal.options.fontSize = fontSize;
  }

  /** The size of a terminal that fills its box. */
  fittingSize(): TerminalSize {
    const isNarrow = this.#box.clientWidth < 600;
    return sizeFor(this.#room(), this.#cell, isNarrow ? 11 : 14);
  }

  setControlled({ isControlled }: { readonly isControlled: boolean }): void {
    this.#terminal.options.disableStdin = !isControlled;
    this.#terminal.options.cursorBlink = isControlled && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const { textarea } = this.#terminal;
    if (textarea) textarea.readOnly = !isControlled;
    if (isControlled) this.#terminal.focus();
  }

  setTheme(theme: ThemeName): void {
    this.#terminal.options.theme = themeFor(theme);
  }

  focus(): void {
    this.#terminal.focus();
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  /** Without control, the page handles the keys: Tab moves the focus, and shortcuts work. */
  #takesKey(event: KeyboardEvent, onLeave: () => void): boolean {
    const isScrolling = event.shiftKey && /^(?:PageUp|PageDown|Home|End)$/.test(event.key);
    if (this.#terminal.options.disableStdin) return isScrolling;
    // Terminals send nothing of their own for Ctrl+Shift+H, so no program needs it.
    if (!(event.ctrlKey && event.shiftKey && !event.altKey && event.code === "KeyH")) return true;
    event.preventDefault();
    if (event.type === "keydown") onLeave();
    return false;
  }

  #paste(event: ClipboardEvent, onPaste: (text: string) => void): void {
    // The server puts pastes between marks, and removes text that would end the marks.
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text !== "" && this.#terminal.options.disableStdin === false) onPaste(text);
  }

  #room(): Room {
    const style = getComputedStyle(this.#box);
    const scrollbar = 16;
    const width = this.#box.clientWidth - Number.parseFloat(style.paddingLeft) * 2 - scrollbar;
    return { width, height: this.#box.clientHeight - Number.parseFloat(style.paddingTop) * 2 };
  }
}

function isWebAddress(address: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

function measureCell(box: HTMLElement): CellShape {
  const probe = document.createElement("span");
  probe.className = "cell-probe";
  probe.textContent = "W".repeat(10);
  box.append(probe);
  const { width } = probe.getBoundingClientRect();
  const size = Number.parseFloat(getComputedStyle(probe).fontSize);
  probe.remove();
  return { width: width / 10 / size, height: 1.17 };
}

function themeFor(name: ThemeName): ITheme {
  const { background, foreground, caret, palette } = THEMES[name];
  const plain = KEY_NAMES.map((key, index) => [key, palette[index]]);
  const bright = KEY_NAMES.map((key, index) => [`bright${key[0]?.toUpperCase()}${key.slice(1)}`, palette[index + 8]]);
  const selection = name === "dark" ? "#3c5a8a" : "#b6d3f7";
  return {
    background,
    foreground,
    cursor: caret,
    cursorAccent: background,
    selectionBackground: selection,
    ...Object.fromEntries([...plain, ...bright]),
  };
}
