import { expect, test } from "vitest";
import { REQUESTS } from "../../host/server/requests.ts";
import { DOOR_APPROVAL_RIGHTS, DOOR_RIGHTS, restricted } from "./door-methods.ts";

/** What a service is asked for that has this method, with these rights. */
function refusalOf(use: () => unknown): string | undefined {
  try {
    use();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const refuse = (method: string, right: string): never => {
  throw new Error(`${method} ${right}`);
};

test("every request that a client can send has been decided about, and no other", () => {
  const requests = Object.keys(REQUESTS);
  const ofApprovals = Object.keys(DOOR_APPROVAL_RIGHTS).map((name) => `approvals.${name}`);
  // These two are no requests: one is a part of the service, the other one is known to a door only.
  const ofSessions = Object.keys(DOOR_RIGHTS).filter((name) => name !== "approvals" && name !== "silentPlaces");

  expect(requests.toSorted()).toEqual([...ofSessions, ...ofApprovals].toSorted());
});

test("a method that nobody has decided about is refused", () => {
  const service = { list: () => "listed", inventedLater: () => "done" };
  const rights = { list: "open" } as Record<keyof typeof service, "open">;

  const view = restricted(service, rights, { ruled: {}, isPerson: true, refuse });

  expect(view.list()).toBe("listed");
  expect(refusalOf(() => view.inventedLater())).toBe("inventedLater refused");
  expect(refusalOf(() => Reflect.get(view, "constructor")())).toBe("constructor refused");
});

test("a method by rules never falls back to that of the service, and one for people is theirs alone", () => {
  const service = { turn: () => "as it is", hold: () => "held", write: () => "written" };
  const rights = { turn: "ruled", hold: "people", write: "ruled" } as const;
  const ruled = { write: () => "judged" };

  const [person, agent] = [true, false].map((isPerson) => restricted(service, rights, { ruled, isPerson, refuse }));

  expect([person?.write(), agent?.write(), person?.hold()]).toEqual(["judged", "judged", "held"]);
  expect(refusalOf(() => person?.turn())).toBe("turn ruled");
  expect(refusalOf(() => agent?.hold())).toBe("hold people");
});
