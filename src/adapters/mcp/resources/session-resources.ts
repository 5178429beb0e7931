/** The output and the screens of sessions as MCP resources: list, read, subscribe. */

import { MAX_LISTED_SESSIONS } from "../../../base/limits.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import { screenText } from "../../../screen/screen-text.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { readBrief } from "../../../tools/answer/brief.ts";
import { describeSession } from "../../../tools/answer/describe-result.ts";
import { parseUri, type ResourceAddress, type ResourceKind, resourceUri, templateOf } from "./resource-uri.ts";
import { RunningWatch } from "./running-watch.ts";
import { watchOutput } from "./watch-output.ts";

interface SessionResourcesOptions {
  readonly sessions: SessionService;
  readonly caller: () => string;
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
    uriTemplate: templateOf("output"),
    description: "The clean output of a session, also after it ended; {session} is its id or name.",
    mimeType: "text/plain",
  },
  {
    name: "session-screen",
    title: "Screen of a session",
    uriTemplate: templateOf("screen"),
    description: "What a person would see of a session now, as text; {session} is its id or name.",
    mimeType: "text/plain",
  },
];

const BRIEF_URI = "limpet://brief";
const BRIEF = {
  uri: BRIEF_URI,
  name: "brief",
  title: "All sessions in brief",
  description: "All sessions of this project, their last results and open questions, in at most 300 tokens.",
  mimeType: "text/plain",
};
const MORE = "list_sessions(ended=true)";

const KINDS: readonly ResourceKind[] = ["output", "screen"];
const TITLES: Readonly<Record<ResourceKind, string>> = { output: "Output", screen: "Screen" };

const MAX_SUBSCRIPTIONS = 1_024;
/** Clients put all pages of a list together for their model, so there is only one. Each session has several entries. */
const MAX_SESSIONS = MAX_LISTED_SESSIONS / KINDS.length;

export class SessionResources {
  readonly #options: SessionResourcesOptions;
  readonly #connection = new AbortController();
  readonly #running: RunningWatch;
  readonly #subscriptions = new Map<string, AbortController>();

  constructor(options: SessionResourcesOptions) {
    this.#options = options;
    const { sessions, onListChanged } = options;
    this.#running = new RunningWatch({ sessions, onChange: onListChanged, signal: this.#connection.signal });
  }

  /** Call this when a session may have been started or closed. */
  refreshSoon(): void {
    this.#running.refreshSoon();
  }

  /**
   * The brief, and running sessions, idle shells last. Ended sessions and those that the brief's entry only counts can
   * be read too, but would make the list longer.
   */
  async list(): Promise<{ readonly uri: string; readonly name: string; readonly mimeType: string }[]> {
    const running = await this.#options.sessions.running();
    const sorted = running.toSorted((one, other) => Number(one.isIdle) - Number(other.isIdle));
    const sessions = sorted.slice(0, MAX_SESSIONS).flatMap((session) =>
      KINDS.map((kind) => ({
        uri: resourceUri(keyOf(session), kind),
        name: `${session.name ?? `session ${keyOf(session)}`}${kind === "screen" ? " screen" : ""}`,
        title: `${TITLES[kind]} of session ${describeSession(session)}`,
        mimeType: "text/plain",
      })),
    );
    return [briefEntry(sorted.length - MAX_SESSIONS), ...sessions];
  }

  /** All sessions, last results and open questions. */
  async brief(): Promise<string> {
    return await readBrief(this.#options.sessions, { all: false, more: MORE });
  }

  async read(uri: string): Promise<{ readonly uri: string; readonly mimeType: string; readonly text: string }> {
    if (uri === BRIEF_URI) return { uri, mimeType: "text/plain", text: await this.brief() };
    const { session, kind } = requireAddress(uri);
    const text = kind === "screen" ? await this.#screenText(session) : await this.#outputText(session);
    return { uri, mimeType: "text/plain", text };
  }

  async subscribe(uri: string): Promise<void> {
    const { session } = requireAddress(uri);
    const key = keyOf(await this.#options.sessions.find(session));
    if (this.#subscriptions.has(uri)) return;
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new LimpetError(
        "BAD_OPTION",
        `${MAX_SUBSCRIPTIONS} resources are subscribed already. Unsubscribe from one first.`,
      );
    }
    const stop = new AbortController();
    this.#subscriptions.set(uri, stop);
    const { sessions, onUpdated } = this.#options;
    const watching = watchOutput({
      sessions,
      key,
      onChange: () => onUpdated(uri),
      signal: stop.signal,
    });
    // A closed session no longer changes.
    void watching.catch(() => undefined).finally(() => this.unsubscribe(uri));
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.get(uri)?.abort();
    this.#subscriptions.delete(uri);
  }

  async #outputText(key: string): Promise<string> {
    const { sessions, caller } = this.#options;
    const { output } = await sessions.turn({
      caller: caller(),
      on: { kind: "session", key },
      read: { kind: "text" },
      isWatch: true,
    });
    return output?.text ?? "";
  }

  async #screenText(key: string): Promise<string> {
    const { sessions } = this.#options;
    // A separate caller, so that this read does not change what `changes` of read_screen compares with.
    const caller = `${this.#options.caller()} resources`;
    const { screen } = await sessions.turn({ caller, on: { kind: "session", key }, read: { kind: "screen" } });
    return screen ? screenText(screen.snapshot) : "";
  }

  close(): void {
    this.#connection.abort();
    for (const uri of [...this.#subscriptions.keys()]) this.unsubscribe(uri);
  }
}

/** `more`: running sessions that the list of resources leaves out. */
function briefEntry(more: number): typeof BRIEF {
  if (more <= 0) return BRIEF;
  const rest = more === 1 ? "1 more session runs; its URI is" : `${more} more sessions run; their URIs are`;
  return { ...BRIEF, description: `${BRIEF.description} ${rest} not listed here: list_sessions shows the ids.` };
}

function requireAddress(uri: string): ResourceAddress {
  const address = parseUri(uri);
  if (address) return address;
  throw new LimpetError(
    "SESSION_NOT_FOUND",
    `The resource ${JSON.stringify(uri)} does not exist. Use ${BRIEF_URI}, ${KINDS.map(templateOf).join(" or ")}.`,
  );
}
