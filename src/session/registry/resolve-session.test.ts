import { expect, test } from "vitest";
import { isInView, type Owned, resolveSession, type Scope } from "./resolve-session.ts";

const api: Scope = { project: "/api", reach: "project" };
const person: Scope = { project: "/api", reach: "user" };
const elsewhere: Scope = { project: "/elsewhere", reach: "user" };

function session(id: number, name: string | undefined, project: string | null, exit?: "ended"): Owned {
  return { id, name, owner: project === null ? undefined : { caller: "ann", project }, exit };
}

function idFor(sessions: readonly Owned[], key: number | string, scope: Scope): number | string {
  const resolved = resolveSession(sessions, key, scope);
  return resolved.kind === "found" ? resolved.session.id : resolved.kind;
}

test("an id means the same session for everybody, as a number or as text", () => {
  const sessions = [session(7, "server", "/web")];

  expect([idFor(sessions, 7, api), idFor(sessions, "7", person), idFor(sessions, 8, person)]).toEqual([
    7,
    7,
    "missing",
  ]);
});

test("a name means the session of the own project, and never that of another one", () => {
  const sessions = [session(1, "server", "/web"), session(2, "server", "/api"), session(3, "db", "/web")];

  expect([idFor(sessions, "server", api), idFor(sessions, "db", api)]).toEqual([2, "missing"]);
});

test("a person's name reaches all projects: the own one first, then the only other one", () => {
  const sessions = [session(1, "server", "/web"), session(2, "server", "/api"), session(3, "db", "/web")];

  expect([idFor(sessions, "server", person), idFor(sessions, "db", person)]).toEqual([2, 3]);
});

test("a name that several other projects have is ambiguous, unless only one of them runs", () => {
  const running = [session(1, "server", "/web"), session(2, "server", "/api")];
  const oneEnded = [session(1, "server", "/web"), session(2, "server", "/api", "ended")];

  expect([idFor(running, "server", elsewhere), idFor(oneEnded, "server", elsewhere)]).toEqual(["ambiguous", 1]);
});

test("of several of one name and project the one that runs is meant, else the latest", () => {
  const ended = [session(1, "job", "/api", "ended"), session(3, "job", "/api", "ended")];

  expect([idFor(ended, "job", api), idFor([session(2, "job", "/api"), ...ended], "job", api)]).toEqual([3, 2]);
});

test("a session of no project is seen by a person and by whoever has no project", () => {
  const orphan = session(1, "old", null);
  const nowhere: Scope = { project: null, reach: "project" };

  expect([api, person, nowhere].map((scope) => isInView(orphan, scope))).toEqual([false, true, true]);
});
