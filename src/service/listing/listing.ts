/** Describes sessions: name, identity, summary, list. */

import { mapInSlices } from "../../base/async/map-in-slices.ts";
import { commandLogOf } from "../../session/command-log.ts";
import { EVERYWHERE, projectOf, type Scope } from "../../session/registry/resolve-session.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { RunningProcess } from "../../transport/probe.ts";
import type { Holds } from "../control/holds.ts";
import type { RunningRecordings } from "../recordings/running-recordings.ts";
import { LastLines } from "./last-lines.ts";
import type { SessionName } from "./session-name.ts";
import type { AutoClose, SessionIdentity } from "./session-state.ts";
import type { ListOptions, SessionLeftovers, SessionSummary } from "./session-summary.ts";

interface ListingParts {
  readonly registry: SessionRegistry;
  readonly holds: Holds;
  readonly recordings: RunningRecordings;
}

export class Listing {
  readonly #parts: ListingParts;
  readonly #lastLines = new LastLines();

  constructor(parts: ListingParts) {
    this.#parts = parts;
  }

  identityOf(session: Session): SessionIdentity {
    const { registry, holds } = this.#parts;
    return {
      ...nameOf(session),
      exit: session.exit ?? null,
      lost: session.isLost,
      journal: session.journalHealth ?? null,
      closed: autoCloseOf(session, registry),
      size: session.tty ? session.size : null,
      outputBytes: session.endCursor,
      unreadInputBytes: session.unreadInputBytes,
      asksTerminal: asksTerminal(session),
      held: holds.of(session),
      frozen: session.frozen ?? null,
    };
  }

  /** Sessions that run, left processes running or were lost; with `ended` also the others. */
  async list({ ended, all = false }: ListOptions, scope: Scope): Promise<readonly SessionSummary[]> {
    const shown = (await withLeft(this.#all(all ? EVERYWHERE : scope))).filter(
      ({ session, left }) => ended || session.exit === undefined || session.isLost || left.length > 0,
    );
    const observed = await mapInSlices(shown, async (each) => ({ ...each, state: await this.#observe(each.session) }));
    // A session that was closed meanwhile does not stop the others.
    const known = new Set(this.#parts.registry.list({ ended: true }));
    return observed
      .filter(({ session }) => known.has(session))
      .map((each) => ({
        ...this.#summarise(each),
        isOwnProject: projectOf(each.session) === scope.project,
      }));
  }

  async leftovers(scope: Scope): Promise<readonly SessionLeftovers[]> {
    // Every turn calls this, and hundreds of sessions may have ended.
    const all = await withLeft(this.#all(scope).filter((session) => internalsOf(session).lifetime.mayHaveLeftovers));
    return all.filter(({ left }) => left.length > 0).map(({ session, left }) => ({ ...nameOf(session), left }));
  }

  #all(scope: Scope): readonly Session[] {
    return this.#parts.registry.list({ ended: true, scope });
  }

  /** The part of a summary that needs an observation. */
  async #observe(session: Session): Promise<ObservedState> {
    const { state, waitingFor, foreground, listening } = await session.status();
    const lastLine = await this.#lastLines.lineOf(session);
    return { isIdle: state === "idle", waitingFor, foreground, listening, lastLine };
  }

  #summarise({ session, left, state }: ObservedSession): SessionSummary {
    const { registry, recordings } = this.#parts;
    const current = session.exit === undefined ? commandLogOf(session).current : undefined;
    return {
      ...this.identityOf(session),
      program: describeProgram(session),
      command: current?.command ?? null,
      // The clock may have been set back.
      commandMs: current ? Math.max(0, Date.now() - current.startedAt) : null,
      directory: internalsOf(session).finishes.directory ?? null,
      owner: session.owner ?? null,
      sandbox: session.sandbox ?? null,
      limits: session.limitState ?? null,
      left,
      ageMs: Math.max(0, Date.now() - session.startedAt),
      idleMs: Math.round(registry.idleMs(session.id)),
      recordings: recordings.states(session),
      ...state,
    };
  }
}

function withLeft(sessions: readonly Session[]) {
  return mapInSlices(sessions, async (session) => ({ session, left: await session.leftovers() }));
}

type ObservedState = Pick<SessionSummary, "isIdle" | "waitingFor" | "foreground" | "listening" | "lastLine">;

interface ObservedSession {
  readonly session: Session;
  readonly left: readonly RunningProcess[];
  readonly state: ObservedState;
}

export function autoCloseOf(session: Session, { expiryMs = 0 }: SessionRegistry): AutoClose | null {
  const { closeReason, limitState } = session;
  const limit = limitState?.endedBy ?? undefined;
  if (closeReason === undefined || closeReason === "asked") return null;
  if (closeReason === "limit") {
    return limit === undefined ? null : { reason: "limit", limit, value: session.limits?.[limit] ?? 0 };
  }
  return closeReason === "idle" ? { reason: "idle", idleMs: expiryMs } : { reason: closeReason };
}

/** Its last output is a query to the terminal, so nobody has answered it yet. */
function asksTerminal(session: Session): boolean {
  return session.tty && session.exit === undefined && internalsOf(session).pendingQueries().length > 0;
}

export function nameOf({ id, name }: Session): SessionName {
  return { id, name: name ?? null, place: null };
}

/** A shell command is shown as it was passed. */
export function describeProgram({ program, args }: Session): string {
  const [option, command] = args;
  const isCommand = args.length === 2 && (option === "-c" || option === "-lc");
  return isCommand && command !== undefined ? command : [program, ...args].join(" ");
}
