/** The hooks of a host: follows the events of its sessions while the user has hooks, and notices when they change. */
import { unwatchFile, watchFile } from "node:fs";
import type { EventPage } from "../../service/events/session-event.ts";
import { HookRunner, type Hooks } from "./hook-runner.ts";

const CHECK_EVERY_MS = 2_000;

/** Where the hooks come from. */
export interface HookSource {
  /** The file that they are in. */
  readonly file: string;
  /** Throws if the file has a mistake. */
  read(): Hooks;
}

interface HostHooksOptions {
  readonly source: HookSource;
  readonly events: (signal: AbortSignal) => AsyncIterable<EventPage>;
  readonly onProblem: (text: string) => void;
}

export class HostHooks {
  readonly #options: HostHooksOptions;
  readonly #runner: HookRunner;
  readonly #onChange = () => this.#refresh();
  #hooks: Hooks = {};
  #following: AbortController | undefined;

  constructor(options: HostHooksOptions) {
    this.#options = options;
    this.#runner = new HookRunner({ onProblem: options.onProblem });
    this.#refresh();
    watchFile(options.source.file, { interval: CHECK_EVERY_MS, persistent: false }, this.#onChange);
  }

  stop(): void {
    unwatchFile(this.#options.source.file, this.#onChange);
    this.#following?.abort();
  }

  #refresh(): void {
    const { source, onProblem } = this.#options;
    try {
      this.#hooks = source.read();
    } catch (error) {
      this.#hooks = {};
      onProblem(`hooks: ${error instanceof Error ? error.message : String(error)}`);
    }
    const hasHooks = Object.keys(this.#hooks).length > 0;
    if (hasHooks && !this.#following) void this.#follow();
    if (!hasHooks) {
      this.#following?.abort();
      this.#following = undefined;
    }
  }

  async #follow(): Promise<void> {
    const following = new AbortController();
    this.#following = following;
    for await (const { events } of this.#options.events(following.signal)) {
      for (const event of events) {
        const command = this.#hooks[event.kind];
        if (command !== undefined) this.#runner.run(command, event);
      }
    }
  }
}
