/** The messages about the session that an attached person sees: which one it is, what runs in it, and how to leave. */
import { LimpetError } from "../../base/limpet-error.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TranscriptPart } from "../../session/transcript-part.ts";
import { describeName } from "../print/describe-session.ts";
import type { DetachKey } from "./detach-key.ts";

interface WatchOptions {
  readonly isReadOnly: boolean;
  readonly detachKey: DetachKey;
}

export class WatchedSession {
  readonly #sessions: SessionService;
  readonly #summary: SessionSummary;
  readonly #options: WatchOptions;
  #command: string | null;
  #size: SessionSummary["size"];
  #isHeld: boolean;

  private constructor(sessions: SessionService, summary: SessionSummary, options: WatchOptions) {
    this.#sessions = sessions;
    this.#summary = summary;
    this.#options = options;
    this.#command = summary.command;
    this.#size = summary.size;
    this.#isHeld = summary.held !== null;
  }

  static async find(sessions: SessionService, key: SessionKey, options: WatchOptions): Promise<WatchedSession> {
    const all = await sessions.list({ ended: true, all: true });
    const summary = all.find((session) => keyOf(session) === key);
    if (!summary)
      throw new LimpetError("SESSION_NOT_FOUND", `Session ${key} was closed. List sessions with: limpet ls`);
    return new WatchedSession(sessions, summary, options);
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Remembers the running command and the size. */
  note(part: TranscriptPart): void {
    if (part.kind === "started") this.#command = part.command.command;
    if (part.kind === "finished") this.#command = null;
    if (part.kind === "size") this.#size = part.size;
  }

  /** One line; the beginning of it is the most important. */
  describe(): string {
    const { program, directory, owner } = this.#summary;
    const { isReadOnly, detachKey } = this.#options;
    const activity = this.#command === null ? (directory === null ? program : "shell") : `❯ ${this.#command}`;
    return [
      describeName(this.#summary),
      `${detachKey.name} d detaches, ${detachKey.name} for more`,
      ...(isReadOnly ? ["read-only"] : []),
      ...(this.#isHeld ? ["held"] : []),
      activity,
      ...(owner ? [`of ${owner.caller}`] : []),
      ...(this.#size ? [`${this.#size.cols}x${this.#size.rows}`] : []),
    ].join(" · ");
  }

  /** Returns what to say about it. */
  async toggleHold(): Promise<string> {
    const key = keyOf(this.#summary);
    if (this.#isHeld) await this.#sessions.release(key);
    else await this.#sessions.hold(key, { reason: null });
    this.#isHeld = !this.#isHeld;
    return this.#isHeld ? "Held: agents cannot type until you release it." : "Released: agents can type again.";
  }
}
