/**
 * Attaches a person to a session's terminal: keys go to the program and its screen is shown, until the person detaches,
 * the program ends or the host is gone. Any number of people may attach at once. Watching changes nothing: the session
 * keeps its size unless the person asks for another one.
 */

import { randomUUID } from "node:crypto";
import type { Exit } from "../../base/exit.ts";
import { TYPING_HOLD_MS } from "../../base/limits.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { LiveView } from "../view/live-view.ts";
import type { DetachKey } from "./detach-key.ts";
import { InputPump } from "./input-pump.ts";
import { type LinkedService, LinkWatch } from "./link-watch.ts";
import { type AttachAct, type AttachMode, describeMenu, readAttachKeys } from "./read-attach-keys.ts";
import { readLines } from "./read-lines.ts";
import { pressInScroll, type ScrollModel, scrollModel, scrollView, wrapLines } from "./scroll-model.ts";
import { sizeForSession } from "./user-terminal.ts";
import { WatchedSession } from "./watched-session.ts";

export interface AttachOptions {
  /** Watch only: send no keys and do not resize. */
  readonly isReadOnly: boolean;
  /** Lends the session the size of the person's terminal while attached. */
  readonly takesSize: boolean;
  readonly detachKey: DetachKey;
}

/** Long enough to read it. */
const WELCOME_MS = 5_000;

/** Why the person is no longer attached. `lastLines`: what the program left on the screen. */
export type AttachEnd =
  | { readonly kind: "detached" }
  | { readonly kind: "exited"; readonly exit: Exit; readonly lastLines: readonly string[] };

/** Rejects with `HOST_GONE` if the host dies. Always restores the terminal. */
export async function attachTo(sessions: LinkedService, key: SessionKey, options: AttachOptions): Promise<AttachEnd> {
  const found = await sessions.find(key);
  // A name may be given to another session meanwhile.
  const [own, { size }] = [keyOf(found), found];
  const viewer = `attach ${randomUUID()}`;
  const takesSize = options.takesSize && !options.isReadOnly && size !== null;
  const takeSize = async () => {
    // A program that has just ended has no terminal to resize.
    await sessions.lendSize(own, { viewer, size: sizeForSession() }).catch(() => undefined);
  };
  if (takesSize) await takeSize();
  const attachment = await Attachment.open(sessions, own, {
    ...options,
    viewer,
    // A host takes the size back when the link breaks.
    onResize: () => void (takesSize && takeSize()),
  });
  try {
    return await attachment.run();
  } finally {
    attachment.close();
    if (takesSize) await sessions.lendSize(own, { viewer, size: null }).catch(() => undefined);
  }
}

interface AttachmentOptions extends AttachOptions {
  readonly viewer: string;
  readonly onResize: () => void;
}

class Attachment {
  readonly #sessions: SessionService;
  readonly #key: SessionKey;
  readonly #options: AttachmentOptions;
  readonly #session: WatchedSession;
  readonly #pump: InputPump;
  readonly #link: LinkWatch;
  readonly #view: LiveView;
  readonly #leaving = new AbortController();
  #mode: AttachMode = "live";
  #scroll: ScrollModel | undefined;
  #welcome: NodeJS.Timeout | undefined;

  static async open(sessions: LinkedService, key: SessionKey, options: AttachmentOptions): Promise<Attachment> {
    const session = await WatchedSession.find(sessions, key, options);
    const late: { onInput: (bytes: Uint8Array) => void } = { onInput: () => undefined };
    const view = await LiveView.open(sessions, key, {
      onInput: (bytes) => late.onInput(bytes),
      onResize: options.onResize,
      onPart: (part) => session.note(part),
      passesKeys: !options.isReadOnly,
      status: () => session.describe(),
    });
    const attachment = new Attachment(sessions, key, { ...options, session, view });
    late.onInput = (bytes) => attachment.#onInput(bytes);
    return attachment;
  }

  private constructor(
    sessions: LinkedService,
    key: SessionKey,
    { session, view, ...options }: AttachmentOptions & { readonly session: WatchedSession; readonly view: LiveView },
  ) {
    this.#sessions = sessions;
    this.#key = key;
    this.#options = options;
    this.#session = session;
    this.#view = view;
    const { viewer } = options;
    this.#link = new LinkWatch(sessions, {
      onChange: () => this.#unsay(),
      onBack: () => options.onResize(),
    });
    this.#pump = new InputPump({
      write: (bytes) =>
        this.#link.during(sessions.write(key, bytes, { caller: viewer, by: "person", holdMs: TYPING_HOLD_MS })),
      onRefused: () => view.ring(),
      onCut: () => this.#link.noteCut(),
    });
  }

  async run(): Promise<AttachEnd> {
    const { signal } = this.#leaving;
    try {
      this.#say(this.#session.describe(), WELCOME_MS);
      const exit = await this.#view.follow(this.#sessions, this.#key, signal);
      return exit ? { kind: "exited", exit, lastLines: this.#view.lastLines() } : { kind: "detached" };
    } catch (error) {
      if (signal.aborted) return { kind: "detached" };
      throw error;
    }
  }

  close(): void {
    clearTimeout(this.#welcome);
    this.#link.stop();
    this.#leaving.abort();
    this.#view.close();
  }

  /** Covers the last row of the screen until the next key, or for some time. */
  #say(text: string, forMs?: number): void {
    clearTimeout(this.#welcome);
    this.#view.notice = text;
    if (forMs !== undefined) this.#welcome = setTimeout(() => this.#unsay(), forMs);
  }

  #unsay(): void {
    clearTimeout(this.#welcome);
    this.#view.notice = this.#link.notice;
  }

  #onInput(bytes: Uint8Array): void {
    const { mode, acts } = readAttachKeys(this.#mode, bytes, this.#options.detachKey);
    this.#mode = mode;
    this.#unsay();
    for (const act of acts) this.#do(act);
  }

  #do(act: AttachAct): void {
    switch (act.kind) {
      case "type":
        if (this.#options.isReadOnly) this.#say("Read-only: keys do not go to the program.", WELCOME_MS);
        else if (this.#link.isLost) this.#view.ring();
        else this.#pump.push(act.bytes);
        break;
      case "detach":
        this.#leaving.abort();
        break;
      case "menu":
        this.#setScroll(undefined);
        this.#say(describeMenu(this.#options.detachKey, this.#session));
        break;
      case "scroll":
      case "search":
        void this.#startScroll(act.kind);
        break;
      case "key":
        this.#pressInScroll(act.key);
        break;
      case "hold":
        void this.#toggleHold();
        break;
      case "unknown":
        this.#view.ring();
        break;
      case "live":
        break;
    }
  }

  async #startScroll(how: "scroll" | "search"): Promise<void> {
    const lines = await readLines(this.#sessions, this.#key).catch(() => []);
    if (this.#mode !== "scroll") return;
    const own = this.#view.size;
    const model = scrollModel(wrapLines(lines, own.cols), own);
    this.#setScroll(how === "scroll" ? model : pressInScroll(model, "/", own));
  }

  #pressInScroll(key: string): void {
    if (!this.#scroll) return;
    this.#setScroll(pressInScroll(this.#scroll, key, this.#view.size));
    if (!this.#scroll) this.#mode = "live";
  }

  #setScroll(model: ScrollModel | undefined): void {
    this.#scroll = model;
    this.#view.cover = model && ((own) => scrollView(model, own));
  }

  async #toggleHold(): Promise<void> {
    const message = await this.#session.toggleHold().catch((error: Error) => error.message);
    this.#say(message, WELCOME_MS);
  }
}
