import type { SessionRegistry } from "../session/registry/session-registry.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { JournalSource } from "./further-listener.ts";

/**
 * The sessions of a registry that are started from now on and whose output is on disk: what is in memory only, because
 * it may contain secrets, is not copied either.
 */
export function journalSources(
  registry: SessionRegistry,
  redact: (text: string) => string,
): () => readonly JournalSource[] {
  const former = new Set(registry.list({ ended: true }).map(({ id }) => id));
  return () =>
    registry
      .list({ ended: true })
      .filter(({ id, journalHealth }) => journalHealth !== undefined && !former.has(id))
      .map((session) => sourceOf(session, redact));
}

function sourceOf(session: Session, redact: (text: string) => string): JournalSource {
  return {
    id: session.id,
    name: session.name ?? null,
    program: redact([session.program, ...session.args].join(" ")),
    exit: session.exit ?? null,
    outputBytes: session.endCursor,
    isCopied: internalsOf(session).isCopied,
    read: (options) => session.read(options),
  };
}
