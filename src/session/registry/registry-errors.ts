/** The errors of a registry. Each names only sessions that the caller can see. */
import { listSome } from "../../base/format/list-some.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { isInView, type Owned, projectOf, type Scope, type SessionOwner } from "./resolve-session.ts";

const MAX_SHOWN = 20;

/** `alive`: all live sessions. */
export function notFound(key: number | string, alive: readonly Owned[], scope: Scope): LimpetError {
  const seen = alive.filter((session) => isInView(session, scope));
  const next = seen.length === 0 ? "Open a new one." : "Use one of these, or open a new one.";
  return new LimpetError("SESSION_NOT_FOUND", `No session ${quoted(key)} (open: ${describe(seen)}). ${next}`);
}

export function ambiguous(key: number | string, sessions: readonly Owned[]): LimpetError {
  const where = sessions.map((session) => `${session.id} in ${quoteLine(projectOf(session) ?? "no project")}`);
  return new LimpetError(
    "NAME_AMBIGUOUS",
    `Several projects have a session named ${quoted(key)}: ${listSome(where, MAX_SHOWN)}. Pass the id of one of them.`,
  );
}

/** `id` is undefined for a session that is being started. */
export function nameTaken(name: string, id: number | undefined): LimpetError {
  const which = id === undefined ? "A session that is being started" : `Session ${id}`;
  return new LimpetError(
    "NAME_TAKEN",
    `${which} is already named ${quoteLine(name)}. Use it, close it, or choose another name.`,
  );
}

/** Names only sessions that the caller can see, because it can close only those. */
export function limitReached(max: number, alive: readonly Owned[], owner: SessionOwner | undefined): LimpetError {
  const own = alive.filter((session) => projectOf(session) === (owner?.project ?? null));
  const all = `All ${max} sessions are in use`;
  if (own.length === alive.length) return limit(`${all} (${describe(own)}). Close one that is not needed`);
  if (own.length > 0) return limit(`${all} (in this project: ${describe(own)}). Close one that is not needed`);
  return limit(`${all}, none of them in this project. Ask the user to close some with limpet kill`);
}

function limit(text: string): LimpetError {
  return new LimpetError("SESSION_LIMIT", `${text}, then try again.`);
}

function describe(sessions: readonly Owned[]): string {
  const shown = sessions
    .slice(0, MAX_SHOWN)
    .map(({ id, name }) => (name === undefined ? `${id}` : `${id} ${quoteLine(name)}`));
  const more = sessions.length > shown.length ? [`and ${sessions.length - shown.length} more`] : [];
  return [...shown, ...more].join(", ") || "none";
}

function quoted(key: number | string): string {
  return typeof key === "string" ? quoteLine(key) : String(key);
}
