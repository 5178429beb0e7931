/**
 * The output of a session as the terminal of a page gets it: only what draws, with a line for each command of an agent.
 * A sequence or a character that is cut by the end of a chunk is sent with the next one.
 */
import type { TerminalSize } from "../../../base/terminal-size.ts";
import { type CommandPart, CommandWeaver } from "../../../record/command-lines.ts";
import { DrawingFilter } from "../../../screen/painting/drawing-filter.ts";
import { ENTER_ALTERNATE_SCREEN } from "../../../screen/painting/terminal-sequences.ts";
import { TerminalModeTracker } from "../../../session/modes/terminal-mode-tracker.ts";

export class TerminalText {
  readonly #weaver = new CommandWeaver();
  readonly #modes = new TerminalModeTracker();
  readonly #filter: DrawingFilter;
  readonly #isPlain: boolean;
  #size: TerminalSize;

  /** `isPlain`: the output of pipes, whose lines end without a carriage return. */
  constructor({ size, isPlain }: { readonly size: TerminalSize; readonly isPlain: boolean }) {
    this.#size = size;
    this.#isPlain = isPlain;
    this.#filter = new DrawingFilter({ passing: "terminal", size: () => this.#size });
  }

  get isAlternate(): boolean {
    return this.#modes.isAlternateScreen;
  }

  set size(size: TerminalSize) {
    this.#size = size;
  }

  /** The page has drawn this before: `output` ends where the next output begins. */
  skip(
    output: Uint8Array,
    { isAlternate, isWoven }: { readonly isAlternate: boolean; readonly isWoven: boolean },
  ): void {
    this.#note(Buffer.from(isAlternate ? ENTER_ALTERNATE_SCREEN : ""));
    this.#note(output);
    this.#filter.push(output);
    if (isWoven) this.#weaver.noteOutput(Buffer.from("\r\n"));
  }

  draw(output: Uint8Array): string {
    this.#note(output);
    const text = this.#filter.push(output);
    return this.#isPlain ? text.replaceAll("\n", "\r\n") : text;
  }

  /** The line about a command. */
  weave(part: CommandPart): string {
    return this.#weaver.weave(part);
  }

  #note(output: Uint8Array): void {
    this.#weaver.noteOutput(output);
    this.#modes.push(output);
  }
}
