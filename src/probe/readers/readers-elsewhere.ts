/**
 * Remembers which processes read a terminal without being descendants of its program. A search takes milliseconds, so
 * an observation uses the result of the last search.
 */
import { findTerminalHolders } from "../../linux/files/find-terminal-holders.ts";
import { findContainerProgram } from "./find-container-program.ts";

/** The shortest pause between searches. A program that prints all the time has many short silences per second. */
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
  /** The container client that was seen last, and its program. */
  #container: ContainerClient | undefined;
  #searching: Promise<void> | undefined;

  /** `knownProgram` returns the program of a container client, if the caller has started that client and knows it. */
  constructor(knownProgram: () => number | undefined = () => undefined) {
    this.#knownProgram = knownProgram;
  }

  /** Processes that have the terminal open and are not controlled by it. */
  get strangers(): readonly number[] {
    return this.#strangers;
  }

  /** The program of a container client; undefined if it is not known. While it is unknown, each search looks for it. */
  programBehind(client: number): number | undefined {
    return this.#knownProgram() ?? this.#behind(client).program;
  }

  /** When the program of a container client was last searched for. */
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
