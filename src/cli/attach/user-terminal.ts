/**
 * The terminal that a command runs in, in raw mode: the command gets every key as it is typed.
 *
 * It is always restored: at the end, on a signal, after an exception. Only after SIGKILL, which cannot be caught, the
 * shell has to restore it.
 */

import { writeSync } from "node:fs";
import { MAX_COLS, MAX_ROWS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { DrawingFilter } from "../../screen/painting/drawing-filter.ts";
import { TerminalModeTracker } from "../../session/modes/terminal-mode-tracker.ts";
import { ownTerminalSize } from "../print/own-terminal-size.ts";
import { restoreSequences } from "../print/restore-sequences.ts";

interface UserTerminalOptions {
  readonly onInput: (bytes: Uint8Array) => void;
  /** Also called when the process continues after a stop, because the screen must then be redrawn. */
  readonly onResize: () => void;
  /** The commands to suggest if there is no terminal. Default: `limpet logs and limpet send`. */
  readonly instead?: string;
}

/** Signals that end a process by default. In raw mode Ctrl+C is a key, so SIGINT comes only from outside. */
const DEADLY: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
const STDOUT = 1;

/** The size for a session in this terminal, within the limits of sessions. */
export function sizeForSession(): TerminalSize {
  const { cols, rows } = ownTerminalSize();
  return { cols: Math.min(cols, MAX_COLS), rows: Math.min(rows, MAX_ROWS) };
}

/** How many users of the terminal need raw mode. */
let rawHolders = 0;

/**
 * Keeps the terminal in raw mode from one user to the next: otherwise the kernel would echo keys that are typed in
 * between, and keep them until Enter. Returns a function that ends it.
 */
export function keepRawMode(): () => void {
  if (!process.stdin.isTTY) return () => undefined;
  holdRawMode();
  return releaseRawMode;
}

function holdRawMode(): void {
  rawHolders += 1;
  process.stdin.setRawMode(true);
}

function releaseRawMode(): void {
  rawHolders -= 1;
  if (rawHolders > 0) return;
  try {
    process.stdin.setRawMode(false);
  } catch {
    // The terminal is gone, so there is nothing to restore.
  }
}

export class UserTerminal {
  readonly #options: UserTerminalOptions;
  readonly #tracker = new TerminalModeTracker();
  readonly #filter = new DrawingFilter({ passing: "terminal", size: ownTerminalSize });
  #isTaken = true;

  private constructor(options: UserTerminalOptions) {
    this.#options = options;
  }

  /** Throws `NO_TERMINAL` if stdin or stdout is not a terminal. */
  static take(options: UserTerminalOptions): UserTerminal {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      const { instead = "limpet logs and limpet send" } = options;
      throw new LimpetError(
        "NO_TERMINAL",
        `stdin or stdout is not a terminal. Run this command in a terminal, or use ${instead}.`,
      );
    }
    const terminal = new UserTerminal(options);
    terminal.#take();
    return terminal;
  }

  get size(): TerminalSize {
    return ownTerminalSize();
  }

  /** Writes text with our own control sequences. Text from programs in it must already be escaped or filtered. */
  write(text: string): void {
    if (!this.#isTaken || text === "") return;
    this.#tracker.push(Buffer.from(text));
    process.stdout.write(text);
  }

  /** Shows what a program printed, as far as it draws or decides what keys send. */
  show(output: Uint8Array): void {
    this.write(this.#filter.push(output));
  }

  /** Restores the terminal. `unread`: keys for the next user of the terminal. Calling it twice is harmless. */
  giveBack(unread = ""): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    process.off("exit", this.#onExit);
    process.off("SIGCONT", this.#onContinue);
    for (const signal of DEADLY) process.off(signal, this.#onSignal);
    process.stdout.off("resize", this.#onResize);
    process.stdin.off("data", this.#onData);
    process.stdin.pause();
    if (unread !== "") process.stdin.unshift(Buffer.from(unread));
    try {
      // Synchronously: after a signal, the process ends at once.
      writeSync(STDOUT, restoreSequences(this.#tracker, this.#filter));
    } catch {
      // The terminal is gone.
    }
    releaseRawMode();
  }

  #take(): void {
    process.on("exit", this.#onExit);
    process.on("SIGCONT", this.#onContinue);
    for (const signal of DEADLY) process.on(signal, this.#onSignal);
    process.stdout.on("resize", this.#onResize);
    holdRawMode();
    process.stdin.on("data", this.#onData);
    process.stdin.resume();
  }

  readonly #onData = (bytes: Uint8Array): void => this.#options.onInput(bytes);
  readonly #onResize = (): void => this.#options.onResize();

  readonly #onExit = (): void => {
    rawHolders = 1;
    this.giveBack();
  };

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.#onExit();
    // The handlers are removed, so the signal has its default effect.
    process.kill(process.pid, signal);
  };

  /** A shell that had the terminal meanwhile has changed its modes. */
  readonly #onContinue = (): void => {
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
    this.#options.onResize();
  };
}
