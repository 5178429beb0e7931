/** The output of sessions as MCP resources: to list, to read, and to be told about. */
import { ShellError } from "../../base/errors.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { watchOutput } from "./output-watch.ts";
import { OUTPUT_TEMPLATE, outputUri, sessionOf } from "./resource-uri.ts";
import { RunningWatch } from "./running-watch.ts";

interface SessionResourcesOptions {
  readonly sessions: Sessions;
  readonly caller: string;
  readonly onUpdated: (uri: string) => void;
  readonly onListChanged: () => void;
}

interface Template {
  readonly name: string;
  readonly title: string;
  readonly uriTemplate: string;
  readonly description: string;
  readonly mimeType: string;
}

export const TEMPLATES: Template[] = [
  {
    name: "session-output",
    title: "Output of a session",
    uriTemplate: OUTPUT_TEMPLATE,
    description: "What a session printed, clean, also after its end; {session} is its id or name.",
    mimeType: "text/plain",
  },
];

const MAX_SUBSCRIPTIONS = 1_024;

export class SessionResources {
  readonly #options: SessionResourcesOptions;
  readonly #connection = new AbortController();
  readonly #running: RunningWatch;
  readonly #followed = new Map<string, AbortController>();

  constructor(options: SessionResourcesOptions) {
    this.#options = options;
    const { sessions, onListChanged } = options;
    this.#running = new RunningWatch({ sessions, onChange: onListChanged, signal: this.#connection.signal });
  }

  /** A session may have been started or closed. */
  async look(): Promise<void> {
    await this.#running.look();
  }

  /** Those that run; one that has ended can be read too, but would only make the list long. */
  async list(): Promise<{ readonly uri: string; readonly name: string; readonly mimeType: string }[]> {
    const running = await this.#options.sessions.running();
    return running.map(({ id, name }) => ({
      uri: outputUri(id),
      name: name ?? `session ${id}`,
      title: `Output of session ${id}${name === null ? "" : ` (${name})`}`,
      mimeType: "text/plain",
    }));
  }

  async read(uri: string): Promise<{ readonly uri: string; readonly mimeType: string; readonly text: string }> {
    const { text } = await this.#options.sessions.text(requireSession(uri), {});
    return { uri, mimeType: "text/plain", text };
  }

  async subscribe(uri: string): Promise<void> {
    const key = requireSession(uri);
    const { id } = await this.#options.sessions.identify(key);
    if (this.#followed.has(uri)) return;
    if (this.#followed.size >= MAX_SUBSCRIPTIONS) {
      throw new ShellError(
        "BAD_OPTION",
        `${MAX_SUBSCRIPTIONS} resources are subscribed to. Unsubscribe from one first.`,
      );
    }
    const stop = new AbortController();
    this.#followed.set(uri, stop);
    const { sessions, caller, onUpdated } = this.#options;
    const watching = watchOutput({
      sessions,
      key: id,
      caller: `${caller} ${uri}`,
      onChange: () => onUpdated(uri),
      signal: stop.signal,
    });
    // A session that is closed meanwhile has nothing more to tell.
    void watching.catch(() => undefined).finally(() => this.unsubscribe(uri));
  }

  unsubscribe(uri: string): void {
    this.#followed.get(uri)?.abort();
    this.#followed.delete(uri);
  }

  close(): void {
    this.#connection.abort();
    for (const uri of [...this.#followed.keys()]) this.unsubscribe(uri);
  }
}

function requireSession(uri: string): string {
  const key = sessionOf(uri);
  if (key !== undefined) return key;
  throw new ShellError("SESSION_NOT_FOUND", `No resource ${JSON.stringify(uri)}. There is ${OUTPUT_TEMPLATE}.`);
}
