/**
 * Collects what happens in the sessions of a registry and passes it to any number of readers. It watches only while
 * somebody reads, because watching costs time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isInView, type Scope } from "../../session/registry/resolve-session.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Approval } from "../approvals/approval.ts";
import type { Approvals } from "../approvals/approvals.ts";
import { describeProgram, nameOf } from "../listing/listing.ts";
import { EventLog } from "./event-log.ts";
import { EventQueue } from "./event-queue.ts";
import type { EventDetail, EventOptions, EventPage, SessionEvent } from "./session-event.ts";
import { watchSession } from "./watch-session.ts";

/** The kernel does not announce ports. limpet probes all sessions in turn, with this pause between two rounds. */
const PORTS_EVERY_MS = 1_000;
/**
 * Events are still collected for this long for a reader whose link broke. After that, it learns that it missed some.
 */
const RETURN_MS = 300_000;

interface Reader {
  readonly scope: Scope;
  readonly queue: EventQueue;
}

export class EventHub {
  readonly #registry: SessionRegistry;
  readonly #readers = new Set<Reader>();
  readonly #log = new EventLog();
  /** Ends the watching when the last reader has gone. */
  #watching: AbortController | undefined;
  #stopOpened: () => void = () => undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(registry: SessionRegistry, approvals: Approvals) {
    this.#registry = registry;
    approvals.onOpened((opened) => this.#announceApproval(opened));
  }

  /** What happens from now on in the sessions that `scope` reaches, until the signal is aborted. */
  async *events(scope: Scope, { signal, after }: EventOptions): AsyncGenerator<EventPage, void, undefined> {
    const missed = after ? this.#log.since(after) : { events: [], dropped: 0 };
    const reader = { scope, queue: new EventQueue() };
    this.#readers.add(reader);
    clearTimeout(this.#linger);
    this.#start();
    const token = this.#log.token();
    try {
      if (after !== undefined)
        yield { ...missed, events: missed.events.filter((event) => isSeen(event, scope)), token };
      for (;;) {
        const page = await reader.queue.next(signal);
        if (!page) return;
        const { events, dropped, last } = page;
        yield { events, dropped, ...(after === undefined ? {} : { token: this.#log.token(last) }) };
      }
    } finally {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#stopAfter(after === undefined ? 0 : RETURN_MS);
    }
  }

  #start(): void {
    if (this.#watching) return;
    const watching = new AbortController();
    this.#watching = watching;
    const { signal } = watching;
    for (const session of this.#registry.list()) this.#watch(session, signal);
    this.#stopOpened = this.#registry.onOpened((session) => {
      this.announce(session, { kind: "started", program: describeProgram(session) });
      // Whoever opened it may be about to prepare it as a shell, which then reads, but does not wait for a person.
      setImmediate(() => this.#watch(session, signal));
    });
    void this.#watchPorts(signal).catch(() => undefined);
  }

  #stopAfter(ms: number): void {
    clearTimeout(this.#linger);
    if (ms === 0) this.#stop();
    else this.#linger = setTimeout(() => this.#stop(), ms).unref();
  }

  #stop(): void {
    this.#stopOpened();
    this.#watching?.abort();
    this.#watching = undefined;
    this.#log.noteGap();
  }

  #watch(session: Session, signal: AbortSignal): void {
    const onEvent = (detail: EventDetail) => this.announce(session, detail);
    // Aborted, or the session was closed and its exit is reported.
    void watchSession(session, { onEvent, signal }).catch(() => undefined);
  }

  async #watchPorts(signal: AbortSignal): Promise<void> {
    const known = new WeakMap<Session, Set<string>>();
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      for (const session of this.#registry.list()) {
        const ports = known.get(session) ?? new Set<string>();
        known.set(session, ports);
        const open = await internalsOf(session)
          .listening()
          .catch(() => []);
        for (const { port, address } of open) {
          const isKnown = ports.has(`${address} ${port}`);
          ports.add(`${address} ${port}`);
          if (!isKnown && !isFirst) this.announce(session, { kind: "listening", port, address });
        }
      }
      await sleep(PORTS_EVERY_MS, undefined, { signal, ref: false });
    }
  }

  #announceApproval({ number, tool, act, client, caller, project }: Approval): void {
    const { text, directory } = act;
    const known = this.#registry.list().find(({ id }) => id === act.session);
    const owner = { caller, project };
    const session = known ? nameOf(known) : null;
    const event = { kind: "approval", number, tool, text, directory, client, session, owner, at: Date.now() } as const;
    this.#add(event);
  }

  /** Passes on an event that other code has noticed or caused. */
  announce(session: Session, detail: EventDetail): void {
    const event = { ...detail, session: nameOf(session), owner: session.owner ?? null, at: Date.now() };
    this.#add(event);
  }

  #add(event: SessionEvent): void {
    if (!this.#watching) return;
    const number = this.#log.add(event);
    for (const { scope, queue } of this.#readers) if (isSeen(event, scope)) queue.add(event, number);
  }
}

function isSeen({ owner }: SessionEvent, scope: Scope): boolean {
  return isInView(owner ? { owner } : {}, scope);
}
