/** The terminal of a page: draws the events of the page's stream, and can lose its connection at any point. */
import type { TerminalSize } from "../../../src/base/terminal-size.ts";
import { HeadlessTerminal } from "../../../src/screen/drawing/headless-terminal.ts";
import type { PageEvents } from "../../../src/web/api/messages.ts";
import type { StreamEvent } from "../../../src/web/server/route.ts";
import type { TestApi } from "./api.ts";

type Terminal = {
  readonly [Name in keyof PageEvents]: { readonly event: Name; readonly data: PageEvents[Name] };
}[keyof PageEvents];

export class PageTerminal {
  readonly #api: TestApi;
  readonly #address: string;
  #terminal: HeadlessTerminal | undefined;
  #lastEventId: string | null = null;
  /** Everything that was drawn since the last screen, and where that began. */
  text = "";
  from = 0;
  screens = 0;
  ended: PageEvents["ended"] | undefined;
  readonly commands: PageEvents["command"]["command"][] = [];

  constructor(api: TestApi, key: number | string) {
    this.#api = api;
    this.#address = `/api/events?terminal=${encodeURIComponent(String(key))}`;
  }

  /** Takes events of the terminal until `isDone`, and then loses the connection. What was sent after that is lost. */
  async follow(isDone: () => boolean): Promise<void> {
    const stop = new AbortController();
    const given = { signal: stop.signal, lastEventId: this.#lastEventId };
    try {
      for await (const event of this.#api.events(this.#address, given)) {
        await this.#take(event);
        if (this.ended || isDone()) return;
      }
    } finally {
      stop.abort();
    }
  }

  /** Starts over, like a page that was reloaded. */
  reload(): void {
    this.#lastEventId = null;
  }

  get size(): TerminalSize | undefined {
    return this.#terminal?.size;
  }

  get lines(): readonly string[] {
    return Array.from({ length: this.size?.rows ?? 0 }, (_, row) => this.#terminal?.line(row) ?? "");
  }

  get caret(): readonly [number, number] {
    const { row = 0, col = 0 } = this.#terminal?.caret ?? {};
    return [row, col];
  }

  dispose(): void {
    this.#terminal?.dispose();
  }

  async #take(event: StreamEvent): Promise<void> {
    const { event: name, data } = event as Terminal;
    if (name === "screen") {
      this.#terminal?.dispose();
      this.#terminal = new HeadlessTerminal({ size: data.size, scrollback: 100 });
      this.screens += 1;
      this.from = data.cursor;
      this.text = "";
      await this.#terminal.write([decoded(data.bytes)]);
    }
    if (name === "output") {
      this.text += decoded(data.bytes);
      await this.#terminal?.write([decoded(data.bytes)]);
    }
    if (name === "size") this.#terminal?.resize(data.size);
    if (name === "command") this.commands.push(data.command);
    if (name === "ended") this.ended = data;
    this.#lastEventId = event.id ?? this.#lastEventId;
  }
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString();
}
