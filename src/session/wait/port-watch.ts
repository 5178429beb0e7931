/**
 * Detects when a process of a session listens on a TCP port. The kernel does not announce this, so the ports are listed
 * repeatedly, at growing intervals.
 */

import type { Changes } from "../../journal/changes.ts";
import type { ListeningPort } from "../../linux/files/list-listening.ts";

const FIRST_MS = 20;
const ELAPSED_PART = 1 / 10;
const SLOWEST_MS = 1_000;

export interface PortSource {
  readonly changes: Changes;
  listening(): Promise<readonly ListeningPort[]>;
}

export class PortWatch {
  readonly #source: PortSource;
  readonly #port: number | "any";
  readonly #known: readonly number[];
  readonly #startedMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #found: ListeningPort | undefined;

  /** `known`: ports that are ignored if `port` is `any`. */
  constructor(source: PortSource, port: number | "any", known: readonly number[] = []) {
    this.#source = source;
    this.#port = port;
    this.#known = known;
    void this.#check();
  }

  get found(): ListeningPort | undefined {
    return this.#found;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    // Listing can fail for lack of descriptors; the next attempt may succeed.
    const ports = await this.#source.listening().catch(() => []);
    if (this.#isStopped) return;
    this.#found = ports.find(({ port }) => (this.#port === "any" ? !this.#known.includes(port) : port === this.#port));
    if (this.#found) this.#source.changes.announce();
    else this.#timer = setTimeout(() => void this.#check(), nextCheckMs(performance.now() - this.#startedMs));
  }
}

/** Pure. */
export function nextCheckMs(elapsedMs: number): number {
  return Math.min(SLOWEST_MS, Math.max(FIRST_MS, elapsedMs * ELAPSED_PART));
}
