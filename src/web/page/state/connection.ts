/**
 * The one stream of events of the page. The browser reconnects by itself and continues where it was. If the server
 * refuses, the page asks why, and tries again later.
 */
import type { PageEvents } from "../../api/messages.ts";
import { CallError } from "./call.ts";
import { type PageState, takeApprovals, takeSessions } from "./page-state.ts";
import { askMe, eventsAddress } from "./requests.ts";
import type { Store } from "./store.ts";

/** Follows the terminal of one session. */
export interface TerminalFollower {
  readonly onScreen: (event: PageEvents["screen"]) => void;
  readonly onOutput: (event: PageEvents["output"]) => void;
  readonly onSize: (event: PageEvents["size"]) => void;
  readonly onCommand: (event: PageEvents["command"]) => void;
  readonly onEnded: (event: PageEvents["ended"]) => void;
}

type Follow = { readonly key: string; readonly follower: TerminalFollower };
type Handlers = { readonly [Name in keyof PageEvents]: (data: PageEvents[Name]) => void };

const AGAIN_MS = 1_000;
/** A machine that slept may have a connection that nobody has closed. */
const STALE_MS = 30_000;

export class Connection {
  readonly #store: Store<PageState>;
  #source: EventSource | undefined;
  #follow: Follow | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** The last event, and what the stream followed then. */
  #last: { readonly follow: Follow | undefined; readonly id: string } | undefined;
  #lastEventMs = 0;
  #isLooking = false;

  constructor(store: Store<PageState>) {
    this.#store = store;
    document.addEventListener("visibilitychange", () => this.#openIfStale());
    addEventListener("online", () => this.#openIfStale());
  }

  /** Opens a new connection, even if one is open. */
  open(): void {
    clearTimeout(this.#again);
    this.#source?.close();
    const terminal = this.#follow?.key ?? null;
    const only = this.#store.value.me?.session ?? null;
    // An event id of a stream with another terminal is not valid for this one.
    const after = this.#last?.follow === this.#follow ? (this.#last?.id ?? null) : null;
    const source = new EventSource(eventsAddress({ only, terminal, after }));
    this.#source = source;
    this.#lastEventMs = Date.now();
    for (const [name, take] of Object.entries(this.#handlers()) as [string, (data: unknown) => void][]) {
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        if (source !== this.#source) return;
        this.#lastEventMs = Date.now();
        take(JSON.parse(data));
        if (lastEventId !== "") this.#last = { follow: this.#follow, id: lastEventId };
      });
    }
    source.addEventListener("open", () => this.#setLink("open"));
    source.addEventListener("error", () => source === this.#source && void this.#lose(source));
  }

  /** Connects without continuing where it was. */
  openAnew(): void {
    this.#last = undefined;
    this.open();
  }

  close(): void {
    clearTimeout(this.#again);
    this.#source?.close();
    this.#source = undefined;
  }

  /** The stream carries this terminal, too, until the returned function is called. */
  follow(key: string, follower: TerminalFollower): () => void {
    const follow = { key, follower };
    this.#follow = follow;
    this.open();
    return () => {
      if (this.#follow !== follow) return;
      this.#follow = undefined;
      if (this.#source) this.open();
    };
  }

  async #lose(source: EventSource): Promise<void> {
    this.#setLink("lost");
    // The browser gives up when the server answers with an error, for example because the sign-in has expired.
    if (source.readyState !== EventSource.CLOSED || this.#isLooking) return;
    this.#isLooking = true;
    const status = await askMe().then(
      () => 200,
      (error) => (error instanceof CallError ? error.status : 0),
    );
    this.#isLooking = false;
    if (source !== this.#source) return;
    if (status === 401) {
      this.close();
      this.#setLink("signedOut");
      return;
    }
    this.#again = setTimeout(() => this.open(), AGAIN_MS);
  }

  #openIfStale(): void {
    if (this.#source && !document.hidden && Date.now() - this.#lastEventMs > STALE_MS) this.open();
  }

  #setLink(link: PageState["link"]): void {
    this.#store.update((state) => (state.link === link ? state : { ...state, link }));
  }

  #handlers(): Handlers {
    const follow = this.#follow;
    const of = <T extends { readonly key: string }>(choose: (follower: TerminalFollower) => (event: T) => void) => {
      return (event: T) => {
        if (follow && event.key === follow.key) choose(follow.follower)(event);
      };
    };
    return {
      sessions: (event) => this.#store.update((state) => takeSessions(state, event)),
      approvals: (event) => this.#store.update((state) => takeApprovals(state, event, Date.now())),
      silent: (silent) => this.#store.update((state) => ({ ...state, silent })),
      host: ({ isUp, problem }) =>
        this.#store.update((state) => ({
          ...state,
          hostProblem: isUp ? null : (problem ?? "The host does not answer."),
        })),
      screen: of((follower) => follower.onScreen),
      output: of((follower) => follower.onOutput),
      size: of((follower) => follower.onSize),
      command: of((follower) => follower.onCommand),
      ended: of((follower) => follower.onEnded),
    };
  }
}
