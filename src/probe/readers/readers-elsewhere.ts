/**
 * Remembers who reads a terminal without being a descendant of its program. Searching takes milliseconds, so an
 * observation uses what the last search found.
 */
import { findTerminalHolders } from "../../linux/files/find-terminal-holders.ts";
import { findContainerProgram } from "./find-container-program.ts";

/** A program that prints all the time is silent many times a second; a search takes milliseconds. */
const PAUSE_MS = 250;

interface ContainerClient {
  readonly client: number;
  /** Undefined if it was not found. */
  readonly program: number | undefined;
  /** When it was last searched for. */
  readonly searchedMs: number;
}

export class ReadersElsewhere {
  readonly #knownProgram: () => number | undefined;
  #searchedMs = Number.NEGATIVE_INFINITY;
  #strangers: readonly number[] = [];
  /** The client that was seen last, and the program behind it. */
  #container: ContainerClient | undefined;
  #searching: Promise<void> | undefined;

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
    return this.#knownProgram() ?? this.#behind(client).program;
  }

  /** When the program behind a container client was last searched for. */
  searchedMs(client: number): number {
    return this.#behind(client).searchedMs;
  }

  /** Does nothing if the last search is not older than `maxAgeMs`. `path`: of the terminal. */
  async search(path: string, maxAgeMs: number = PAUSE_MS): Promise<void> {
    if (performance.now() - this.#searchedMs < maxAgeMs) return;
    this.#searching ??= this.#search(path).finally(() => {
      this.#searching = undefined;
    });
    await this.#searching;
  }

  async #search(path: string): Promise<void> {
    const searchedMs = performance.now();
    this.#searchedMs = searchedMs;
    const container = this.#container;
    if (container && container.program === undefined) {
      const program = await findContainerProgram(container.client);
      if (this.#container === container) this.#container = { ...container, program, searchedMs };
    }
    this.#strangers = await findTerminalHolders(path);
  }

  #behind(client: number): ContainerClient {
    if (this.#container?.client !== client)
      this.#container = { client, program: undefined, searchedMs: Number.NEGATIVE_INFINITY };
    return this.#container;
  }
}
