/**
 * Decides which session a name refers to, and which sessions a caller sees. An id refers to the same session for every
 * caller. Names are unique among the live sessions of one project. Pure.
 */

/** The owner of a session. */
export interface SessionOwner {
  /** The caller that started it. */
  readonly caller: string;
  /** The folder whose sessions share names; null for none. */
  readonly project: string | null;
}

/** Which sessions the names and lists of a caller include. */
export interface Scope {
  /** The project of the caller; null for none. */
  readonly project: string | null;
  /**
   * `project`: names and lists include only that project. `user`: they include all projects, and the caller's project
   * comes first.
   */
  readonly reach: "project" | "user";
}

/** The facts about a session that the decision needs. */
export interface Owned {
  readonly id: number;
  readonly name: string | undefined;
  readonly owner: SessionOwner | undefined;
  /** Undefined while its program runs. */
  readonly exit: unknown;
}

interface OwnedBy {
  readonly owner?: SessionOwner | undefined;
}

/** The session that the name refers to. `ambiguous`: several projects have a session with that name. */
export type Resolved<T> =
  | { readonly kind: "found"; readonly session: T }
  | { readonly kind: "ambiguous"; readonly sessions: readonly T[] }
  | { readonly kind: "missing" };

/** All sessions, for callers without a project. */
export const EVERYWHERE: Scope = { project: null, reach: "user" };

/** Prefers a live session to an ended one, then the caller's project to others, then the latest. */
export function resolveSession<T extends Owned>(
  sessions: readonly T[],
  key: number | string,
  scope: Scope,
): Resolved<T> {
  const id = idOf(key);
  if (id !== undefined) {
    const session = sessions.find((each) => each.id === id);
    return session ? { kind: "found", session } : { kind: "missing" };
  }
  const named = sessions.filter((session) => session.name === key && isInView(session, scope));
  const alive = named.filter(({ exit }) => exit === undefined);
  const candidates = alive.length > 0 ? alive : named;
  const own = candidates.filter((session) => projectOf(session) === scope.project);
  const meant = own.length > 0 ? own : candidates;
  const session = meant.at(-1);
  if (!session) return { kind: "missing" };
  if (new Set(meant.map(projectOf)).size > 1) return { kind: "ambiguous", sessions: meant };
  return { kind: "found", session };
}

/** Whether names and lists of this scope include the session. */
export function isInView(session: OwnedBy, { project, reach }: Scope): boolean {
  return reach === "user" || projectOf(session) === project;
}

export function projectOf({ owner }: OwnedBy): string | null {
  return owner?.project ?? null;
}

/** Undefined for a name, which has at least one character that is not a digit. */
export function idOf(key: number | string): number | undefined {
  return typeof key === "number" || /^\d+$/.test(key) ? Number(key) : undefined;
}
