/** Follows the events of a user's sessions from host to host: if one dies, its sessions are reported as lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import type { EventPage, SessionEvent } from "../../service/events/session-event.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";

/** How often to look for the next host. */
const LOOK_EVERY_MS = 500;

type Known = Pick<Exclude<SessionEvent, { readonly kind: "approval" }>, "session" | "owner">;

export async function* followEvents(sessions: HostClient, signal: AbortSignal): AsyncGenerator<EventPage> {
  const running = new Map<SessionKey, Known>();
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      yield* followHost(sessions, { running, isFirst, signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof LimpetError) || error.code !== "HOST_GONE") throw error;
    }
    const at = Date.now();
    const lost = [...running.values()].map((known) => ({ ...known, kind: "lost" as const, at }));
    running.clear();
    if (lost.length > 0) yield { events: lost, dropped: 0 };
    await untilHost(sessions, signal);
  }
}

interface Following {
  /** The sessions that run, as far as is known. */
  readonly running: Map<SessionKey, Known>;
  /** Sessions that already run are not reported. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

/** Until the host is gone. */
async function* followHost(
  sessions: HostClient,
  { running, isFirst, signal }: Following,
): AsyncGenerator<EventPage, void, undefined> {
  const pages = sessions.events({ signal })[Symbol.asyncIterator]();
  // Requested before the list, so that no start of a session is missed in between.
  let next = pages.next();
  next.catch(() => undefined);
  const before: SessionEvent[] = [];
  for (const { id, name, place, owner, exit, lost, program } of await sessions.list({ ended: false, all: true })) {
    if (exit !== null || lost) continue;
    const session = { id, name, place };
    running.set(keyOf(session), { session, owner });
    before.push({ kind: "started", program, session, owner, at: Date.now() });
  }
  if (!isFirst && before.length > 0) yield { events: before, dropped: 0 };
  for (let page = await next; !page.done; page = await next) {
    const news = page.value.events.filter((event) => event.kind !== "started" || !running.has(keyOf(event.session)));
    for (const event of news) {
      if (event.kind === "approval") continue;
      const { kind, session, owner } = event;
      if (kind === "exited") running.delete(keyOf(session));
      else running.set(keyOf(session), { session, owner });
    }
    yield { ...page.value, events: news };
    next = pages.next();
  }
}

/** Resolves when a host runs, whoever started it. */
async function untilHost(sessions: HostClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await sessions.hostStatus().catch(() => undefined)) return;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
