/**
 * A session's screen in the person's terminal, drawn as it changes. It has the size of the session: the person's
 * terminal shows as much of it as it has room for.
 */

import type { Exit } from "../../base/exit.ts";
import { DEFAULT_MODES } from "../../base/terminal-modes.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { DrawingFilter } from "../../screen/painting/drawing-filter.ts";
import { keyModes } from "../../screen/painting/set-modes.ts";
import { BELL, CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN, HIDE_CARET } from "../../screen/painting/terminal-sequences.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { RESET_KEY_MODES } from "../../session/modes/reset-sequences.ts";
import type { TranscriptPart } from "../../session/transcript-part.ts";
import { UserTerminal } from "../attach/user-terminal.ts";
import { ownTerminalSize } from "../print/own-terminal-size.ts";
import { changesBetween } from "../top/top-view.ts";
import { followSession } from "./follow-session.ts";
import { type Frame, frameOf } from "./frame.ts";
import { openPersonScreen, type PersonScreen } from "./person-screen.ts";

/** A person sees no difference if it is drawn more often. */
const DRAW_EVERY_MS = 20;

interface LiveViewOptions {
  readonly onInput: (bytes: Uint8Array) => void;
  /** Called when the person's terminal has another size. */
  readonly onResize?: () => void;
  /** Called with each part after it is drawn. */
  readonly onPart?: (part: TranscriptPart) => void;
  /** Whether the terminal sends keys in the form that the program has asked for. */
  readonly passesKeys: boolean;
  /** Below a screen that leaves room for it. */
  readonly status: () => string;
}

export class LiveView {
  #screen: PersonScreen;
  readonly #terminal: UserTerminal;
  readonly #options: LiveViewOptions;
  readonly #bells = new DrawingFilter({ passing: "terminal", size: ownTerminalSize });
  #drawn: readonly string[] = [];
  #caret = "";
  #modes = "";
  #notice: string | undefined;
  #cover: ((own: TerminalSize) => readonly string[]) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #drawnMs = 0;
  #isOpen = true;

  private constructor(screen: PersonScreen, options: LiveViewOptions) {
    this.#screen = screen;
    this.#options = options;
    this.#terminal = UserTerminal.take({
      onInput: options.onInput,
      onResize: () => {
        options.onResize?.();
        this.redraw();
      },
    });
    this.#terminal.write(ENTER_ALTERNATE_SCREEN + CLEAR_SCREEN);
  }

  /** Takes the terminal. Close the view to give it back. */
  static async open(sessions: SessionService, key: SessionKey, options: LiveViewOptions): Promise<LiveView> {
    return new LiveView(await openPersonScreen(sessions, key), options);
  }

  /** Like `open`, with a screen that the caller draws. */
  static over(screen: PersonScreen, options: LiveViewOptions): LiveView {
    return new LiveView(screen, options);
  }

  /** Shows another screen. */
  set screen(screen: PersonScreen) {
    this.#screen.dispose();
    this.#screen = screen;
  }

  get size(): TerminalSize {
    return this.#terminal.size;
  }

  /** Shown on the last line, over the screen, until it is undefined. */
  set notice(text: string | undefined) {
    this.#notice = text;
    this.draw();
  }

  /** Shown instead of the screen, until it is undefined. */
  set cover(lines: ((own: TerminalSize) => readonly string[]) | undefined) {
    this.#cover = lines;
    this.draw();
  }

  /** Shows the session until its program has ended. Undefined if `signal` has ended it. */
  async follow(sessions: SessionService, key: SessionKey, signal: AbortSignal): Promise<Exit | undefined> {
    this.draw();
    return await followSession(sessions, key, {
      from: this.#screen.cursor,
      signal,
      take: async (part) => {
        await this.#screen.take(part);
        if (part.kind === "output" && this.#bells.push(part.page.bytes).includes(BELL)) this.ring();
        this.#options.onPart?.(part);
        this.drawSoon();
      },
    });
  }

  ring(): void {
    this.#terminal.write(BELL);
  }

  redraw(): void {
    if (!this.#isOpen) return;
    this.#drawn = [];
    this.#terminal.write(CLEAR_SCREEN);
    this.draw();
  }

  draw(): void {
    if (!this.#isOpen) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnMs = performance.now();
    const { lines, caret } = this.#frame();
    const changes = changesBetween(this.#drawn, lines);
    const modes = keyModes(this.#options.passesKeys && !this.#cover ? this.#screen.modes : DEFAULT_MODES);
    const change = modes === this.#modes ? "" : RESET_KEY_MODES + modes;
    if (changes !== "" || caret !== this.#caret || change !== "")
      this.#terminal.write(`${HIDE_CARET}${changes}${change}${caret}`);
    this.#drawn = lines;
    this.#caret = caret;
    this.#modes = modes;
  }

  /** At once after a pause, and not too often while much changes. */
  drawSoon(): void {
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#drawnMs + DRAW_EVERY_MS - performance.now());
    this.#timer = setTimeout(() => this.draw(), waitMs);
  }

  /** The last screen, as the program would leave it in a terminal; empty after a full-screen program. */
  lastLines(): readonly string[] {
    const snapshot = this.#screen.snapshot();
    const { lines } = frameOf(snapshot, { own: snapshot.size, status: "" });
    return snapshot.isAlternate ? [] : lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#terminal.giveBack();
    this.#screen.dispose();
  }

  #frame(): Frame {
    const own = this.size;
    if (this.#cover) return { lines: this.#cover(own), caret: "" };
    return frameOf(this.#screen.snapshot(), { own, status: this.#options.status(), notice: this.#notice });
  }
}
