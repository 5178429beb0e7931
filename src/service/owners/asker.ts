/** Who makes a request to a service. */
import type { Scope, SessionOwner } from "../../session/registry/resolve-session.ts";

export interface Asker {
  /** The caller, by a name that no caller of another project has: it has its own position in each session. */
  readonly caller: string;
  /** The client that the caller uses; undefined: the caller is in this process, and receives every answer. */
  readonly client: string | undefined;
  /** To whom the sessions belong that it starts. */
  readonly owner: SessionOwner;
  /** Whose names and lists it uses. */
  readonly scope: Scope;
}

/** Pure. */
export function askerOf(caller: string, scope: Scope, client: string | undefined): Asker {
  const { project } = scope;
  return {
    // A path has no NUL, so no two callers get the same name.
    caller: project === null ? caller : `${caller}\0${project}`,
    client,
    owner: { caller, project },
    scope,
  };
}
