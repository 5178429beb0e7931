import { expect, test } from "vitest";
import type { Session } from "../../session/session.ts";
import { ReleaseNotes } from "./release-notes.ts";

const [session, other] = [{}, {}] as [Session, Session];

test("each caller gets a note once, and again if it did not receive the answer", () => {
  const notes = new ReleaseNotes();
  notes.leave(session, "logged in");

  expect([notes.takeFor(session, "a"), notes.takeFor(session, "a"), notes.takeFor(session, "b")]).toEqual([
    "logged in",
    null,
    "logged in",
  ]);
  notes.restore(session, "a");
  expect(notes.takeFor(session, "a")).toBe("logged in");
  expect(notes.takeFor(other, "a")).toBeNull();
});

test("every caller gets a new note", () => {
  const notes = new ReleaseNotes();
  notes.leave(session, "first");
  notes.takeFor(session, "a");

  notes.leave(session, "second");

  expect(notes.takeFor(session, "a")).toBe("second");
});
