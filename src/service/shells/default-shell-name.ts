/**
 * Pure: the name of a caller's default shell. A caller that comes back, even to another host, gets the name that it
 * had; independent callers of one project get different names, because they must not share a directory and variables.
 */
import { type Owned, projectOf, type SessionOwner } from "../../session/registry/resolve-session.ts";

/** The name that stands for the caller's own default shell. */
export const DEFAULT_SHELL = "default";

interface NameFacts {
  readonly owner: SessionOwner;
  /** All sessions, also ended ones, in the order of their start. */
  readonly sessions: readonly Owned[];
  /** The names of other callers' default shells in the same project. */
  readonly taken: ReadonlySet<string>;
}

export function defaultShellName({ owner, sessions, taken }: NameFacts): string {
  const ofProject = sessions.filter((session) => projectOf(session) === owner.project);
  const alive = ofProject.filter(({ exit }) => exit === undefined);
  const isFree = (name: string) => !taken.has(name) && !alive.some((session) => session.name === name);
  const former = ofProject.findLast((session) => isDefault(session.name) && session.owner?.caller === owner.caller);
  if (former?.name !== undefined && (former.exit === undefined || isFree(former.name))) return former.name;
  for (let number = 2, name = DEFAULT_SHELL; ; number += 1) {
    if (isFree(name)) return name;
    name = `${DEFAULT_SHELL}-${number}`;
  }
}

function isDefault(name: string | undefined): boolean {
  return name !== undefined && /^default(-\d+)?$/.test(name);
}
