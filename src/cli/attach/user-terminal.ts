/**
 * The terminal of the person at the command line, while a command has it for itself: every key comes to us as it is typed.
 *
 * Whatever happens, it is given back as it was: at the end, on a signal, after an exception. Only what cannot be caught, a
 * SIGKILL, leaves that to the shell.
 */

import { writeSync } from "node:fs";
import { DEFAULT_SIZE, MAX_COLS, MAX_ROWS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { TerminalModeTracker } from "../../session/terminal-mode-tracker.ts";
import { LEAVE_ALTERNATE_SCREEN, RESET_MODES, RESET_ORIGIN_MODE } from "./sequences.ts";

interface OwnTerminalOptions {
  readonly onInput: (bytes: Uint8Array) => void;
  /** Also after the process was stopped and goes on: then the screen must be drawn anew. */
  readonly onResize: () => void;
  /** What does without a terminal. Default: `limpet logs and limpet send`. */
  readonly instead?: string;
}

/** What ends a program that nobody keeps from it. SIGINT is a key here, unless somebody sends it from outside. */
const DEADLY: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
const STDOUT = 1;

/** A terminal that was never told its size, as on a serial line, says 0. */
function ownSize(): TerminalSize {
  const { columns, rows } = process.stdout;
  return { cols: columns || DEFAULT_SIZE.cols, rows: rows || DEFAULT_SIZE.rows };
}

/** The size for a session that is shown there: as large as it is, or as a session can be. */
export function sizeForSession(): TerminalSize {
  const { cols, rows } = ownSize();
  return { cols: Math.min(cols, MAX_COLS), rows: Math.min(rows, MAX_ROWS) };
}

export class OwnTerminal {
  readonly #options: OwnTerminalOptions;
  readonly #tracker = new TerminalModeTracker();
  #isTaken = true;

  private constructor(options: OwnTerminalOptions) {
    this.#options = options;
  }

  /** Throws `NO_TERMINAL` where there is none, as in a script. */
  static take(options: OwnTerminalOptions): OwnTerminal {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      const { instead = "limpet logs and limpet send" } = options;
      throw new LimpetError(
        "NO_TERMINAL",
        `This command needs a terminal, and its input or output is none. Run it in a terminal, or use ${instead}.`,
      );
    }
    const terminal = new OwnTerminal(options);
    terminal.#take();
    return terminal;
  }

  get size(): TerminalSize {
    return ownSize();
  }

  write(output: string | Uint8Array): void {
    if (!this.#isTaken) return;
    const bytes = typeof output === "string" ? Buffer.from(output) : output;
    this.#tracker.push(bytes);
    process.stdout.write(bytes);
  }

  /** As it was before. Giving it back twice is fine. */
  giveBack(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    process.off("exit", this.#onExit);
    process.off("SIGCONT", this.#onContinue);
    for (const signal of DEADLY) process.off(signal, this.#onSignal);
    process.stdout.off("resize", this.#onResize);
    process.stdin.off("data", this.#onData);
    process.stdin.pause();
    try {
      const { isOriginMode, isAlternateScreen } = this.#tracker;
      const origin = isOriginMode ? RESET_ORIGIN_MODE : "";
      const screen = isAlternateScreen ? LEAVE_ALTERNATE_SCREEN : "";
      // At once: after a signal there is no later.
      writeSync(STDOUT, origin + screen + RESET_MODES);
      process.stdin.setRawMode(false);
    } catch {
      // The terminal itself has gone: there is nothing to give back.
    }
  }

  #take(): void {
    process.on("exit", this.#onExit);
    process.on("SIGCONT", this.#onContinue);
    for (const signal of DEADLY) process.on(signal, this.#onSignal);
    process.stdout.on("resize", this.#onResize);
    process.stdin.setRawMode(true);
    process.stdin.on("data", this.#onData);
    process.stdin.resume();
  }

  readonly #onData = (bytes: Uint8Array): void => this.#options.onInput(bytes);
  readonly #onResize = (): void => this.#options.onResize();
  readonly #onExit = (): void => this.giveBack();

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.giveBack();
    // With nobody left to catch it, it does what it does to everybody.
    process.kill(process.pid, signal);
  };

  /** A shell that had the terminal meanwhile has set it as it likes. */
  readonly #onContinue = (): void => {
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
    this.#options.onResize();
  };
}
