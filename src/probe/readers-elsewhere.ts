/**
 * Remembers who reads a terminal without being a descendant of its program. Searching takes milliseconds, so an
 * observation uses what the last search found.
 */
import { findTerminalHolders } from "../linux/files/find-terminal-holders.ts";
import { findContainerProgram } from "./find-container-program.ts";

/** A program that prints all the time is silent many times a second; a search takes milliseconds. */
const PAUSE_MS = 250;

export class ReadersElsewhere {
  readonly #knownProgram: () => number | undefined;
  #searchedMs = Number.NEGATIVE_INFINITY;
  #strangers: readonly number[] = [];
  /** The client that was seen last, and the program behind it. */
  #container: { readonly client: number; readonly program: number | undefined } | undefined;

  /** `knownProgram`: the program behind a container client, if whoever started the client knows it. */
  constructor(knownProgram: () => number | undefined = () => undefined) {
    this.#knownProgram = knownProgram;
  }

  /** Processes that have the terminal open and are not controlled by it. */
  get strangers(): readonly number[] {
    return this.#strangers;
  }

  /** The program behind a container client; undefined if it is not known. Until then, searches look for it. */
  programBehind(client: number): number | undefined {
    const known = this.#knownProgram();
    if (known !== undefined) return known;
    if (this.#container?.client !== client) this.#container = { client, program: undefined };
    return this.#container.program;
  }

  /** Does nothing if the last search is not older than `maxAgeMs`. `path`: of the terminal. */
  async search(path: string, maxAgeMs: number = PAUSE_MS): Promise<void> {
    if (performance.now() - this.#searchedMs < maxAgeMs) return;
    this.#searchedMs = performance.now();
    const container = this.#container;
    if (container && container.program === undefined) {
      const program = await findContainerProgram(container.client);
      if (this.#container === container) this.#container = { ...container, program };
    }
    this.#strangers = await findTerminalHolders(path);
  }
}
