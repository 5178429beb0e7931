/**
 * Pushes events of sessions into the conversation of a client that has channels, such as Claude Code. Off unless the
 * user has asked for it, because each message makes the model work.
 *
 * What an answer reports is not repeated: events during a call wait for its end, and those that the answer has reported
 * are dropped.
 */

import { BoundedMap } from "../../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../../base/limits.ts";
import type { EventKind, SessionEvent } from "../../../service/events/session-event.ts";
import { isKeyOf, keyOf } from "../../../service/listing/session-key.ts";
import type { SessionKey } from "../../../service/listing/session-name.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { describeEvent } from "../../../tools/answer/describe-event.ts";
import type { Message } from "../read-message.ts";
import { EventRate } from "./event-rate.ts";

/** Which events are pushed. */
export interface ChannelOptions {
  readonly kinds: readonly EventKind[];
  /** Ids or names. Default: all sessions of the project. */
  readonly sessions?: readonly string[];
}

/** As the client expects it. */
export interface ChannelMessage {
  readonly content: string;
  readonly meta: Readonly<Record<string, string>>;
}

interface SessionChannelOptions extends ChannelOptions {
  readonly service: SessionService;
  readonly send: (message: ChannelMessage) => void;
}

/** Events that wait for the end of a call. */
const MAX_WAITING = 50;
/** An event may arrive this much later than the answer that reports it. */
const LATE_MS = 2_000;

/** An agent learns of approvals from the answers to its calls. */
type PushedEvent = Exclude<SessionEvent, { readonly kind: "approval" }>;

/** What the last answer about a session has reported. */
interface Reported {
  readonly kinds: readonly EventKind[];
  readonly atMs: number;
}

export class SessionChannel {
  readonly #options: SessionChannelOptions;
  readonly #connection = new AbortController();
  readonly #rate = new EventRate();
  #calls = 0;
  readonly #reported = new BoundedMap<SessionKey, Reported>(MAX_CALLERS);
  #waiting: PushedEvent[] = [];

  constructor(options: SessionChannelOptions) {
    this.#options = options;
  }

  /** Call this with every message of the client. */
  note({ method }: Message): void {
    if (method !== "notifications/initialized") return;
    // The host died: its sessions are gone, and the next answer says so.
    void this.#follow().catch(() => undefined);
  }

  callStarts(): void {
    this.#calls += 1;
  }

  /** `fields`: those of the answer. */
  callEnds(fields: Readonly<Record<string, unknown>>): void {
    this.#calls -= 1;
    const { session_id: id } = fields as { readonly session_id?: unknown };
    if (typeof id === "number" || typeof id === "string")
      this.#reported.set(id, { kinds: kindsIn(fields), atMs: performance.now() });
    if (this.#calls > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) this.#take(event);
  }

  close(): void {
    this.#connection.abort();
  }

  async #follow(): Promise<void> {
    const { service } = this.#options;
    for await (const { events } of service.events({ signal: this.#connection.signal })) {
      for (const event of events) if (event.kind !== "approval" && this.#isWanted(event)) this.#take(event);
    }
  }

  #isWanted({ kind, session }: PushedEvent): boolean {
    const { kinds, sessions } = this.#options;
    return kinds.includes(kind) && (sessions?.some((key) => isKeyOf(key, session)) ?? true);
  }

  #take(event: PushedEvent): void {
    if (this.#calls > 0) {
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push(event);
    } else if (!this.#isTold(event)) this.#push(event);
  }

  #isTold({ kind, session }: PushedEvent): boolean {
    const reported = this.#reported.get(keyOf(session));
    // A program ends once; the rest may happen again.
    return (
      reported?.kinds.includes(kind) === true && (kind === "exited" || performance.now() - reported.atMs < LATE_MS)
    );
  }

  #push(event: PushedEvent): void {
    const verdict = this.#rate.ask(`${event.kind} ${keyOf(event.session)}`, performance.now());
    if (!verdict.isAllowed) return;
    const more = verdict.skipped > 0 ? ` (${verdict.skipped} events before it were left out)` : "";
    const { name } = event.session;
    this.#options.send({
      content: `Session ${describeEvent(event)}${more}`,
      meta: {
        kind: event.kind,
        session_id: String(keyOf(event.session)),
        ...(name === null ? {} : { session_name: name }),
      },
    });
  }
}

/** Pure: the events that an answer with these fields reports. */
export function kindsIn(fields: Readonly<Record<string, unknown>>): readonly EventKind[] {
  const { running, waiting_for: asked, command_exit_code: code, shell_ended: shellEnded, yielded } = fields;
  const hasEnded = running === false;
  return [
    "started",
    ...(hasEnded && shellEnded !== false ? (["exited"] as const) : []),
    ...(code !== undefined || (hasEnded && shellEnded !== undefined) ? (["finished"] as const) : []),
    ...(asked !== null && asked !== undefined ? (["waiting"] as const) : []),
    ...(yielded === "listening" ? (["listening"] as const) : []),
  ];
}
