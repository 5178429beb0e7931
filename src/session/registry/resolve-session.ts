/**
 * Pure: which session a name means, and which sessions somebody sees. An id means the same session for everybody; names
 * are unique among the live sessions of one project.
 */

/** To whom a session belongs. */
export interface SessionOwner {
  /** The caller that started it. */
  readonly caller: string;
  /** The folder whose sessions share names; null for none. */
  readonly project: string | null;
}

/** Whose names and lists somebody uses. */
export interface Scope {
  /** The project of whoever asks; null for none. */
  readonly project: string | null;
  /** `project`: names and lists stay within the project. `user`: they reach all projects, the own one first. */
  readonly reach: "project" | "user";
}

/** The facts of a session that decide. */
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

/** The session that was meant. `ambiguous`: several projects have one of that name. */
export type Resolved<T> =
  | { readonly kind: "found"; readonly session: T }
  | { readonly kind: "ambiguous"; readonly sessions: readonly T[] }
  | { readonly kind: "missing" };

/** Everybody's sessions, for whoever has no project. */
export const EVERYWHERE: Scope = { project: null, reach: "user" };

/** A live session comes before an ended one, then the own project before others, then the latest. */
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

/** Whether names and lists reach the session. */
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
