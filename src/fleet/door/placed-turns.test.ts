import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { PlacedTurns } from "./placed-turns.ts";

interface Fleet {
  /** The hosts that are chosen, one after the other. */
  readonly chosen: readonly string[];
  /** What hosts do other than to answer. */
  readonly fails?: Readonly<Record<string, LimpetError["code"]>>;
  readonly names?: Readonly<Record<string, string>>;
}

function turnsOf({ chosen, fails = {}, names = {} }: Fleet) {
  const ran: string[] = [];
  let [settled, count] = [0, 0];
  const turns = new PlacedTurns({
    turn: async ({ place = "here", requestId }) => {
      ran.push(`${requestId} at ${place}`);
      const code = fails[place];
      if (code) throw new LimpetError(code, "no");
      return { session: { place } } as unknown as TurnAnswer;
    },
    hostOf: async (name) => names[name],
    choose: async ({ refused }) => {
      const open = chosen.filter((each) => !refused.has(each));
      const host = open[count % open.length] ?? "nowhere";
      count += 1;
      return {
        host,
        settle: () => {
          settled += 1;
        },
      };
    },
    known: async () => undefined,
  });
  return { ran, run: (request: TurnRequest) => turns.run(request), open: () => count - settled };
}

const start = (requestId: string, more: { name?: string; reuse?: boolean } = {}): TurnRequest => ({
  caller: "test",
  requestId,
  on: { kind: "start", start: { command: "true", ...more } },
});
const run = (command: string): TurnRequest => ({
  caller: "test",
  requestId: command,
  on: { kind: "run", run: { command, shell: "default" } },
});

test("a start that is repeated under its id goes to the same host, and every placement is settled", async () => {
  const fleet = turnsOf({ chosen: ["a", "b"] });

  await Promise.all([fleet.run(start("one")), fleet.run(start("one")), fleet.run(start("two"))]);
  await fleet.run(start("one"));

  expect(fleet.ran).toEqual(["one at a", "one at a", "two at b", "one at a"]);
  expect(fleet.open()).toBeLessThanOrEqual(0);
});

test("commands of a shell stay on the host of the first one", async () => {
  const fleet = turnsOf({ chosen: ["a", "b"] });

  await fleet.run(run("one"));
  await fleet.run(run("two"));

  expect(fleet.ran).toEqual(["one at a", "two at a"]);
});

test("a start that a full host refuses moves to another one, and its repetition with it", async () => {
  const fleet = turnsOf({ chosen: ["full", "b"], fails: { full: "SESSION_LIMIT" } });

  const [answer] = await Promise.all([fleet.run(start("one")), fleet.run(start("one"))]);

  expect(answer.session).toEqual({ place: "b" });
  expect(new Set(fleet.ran)).toEqual(new Set(["one at full", "one at b"]));
});

test("a start whose outcome is unknown is not sent to another host", async () => {
  const fleet = turnsOf({ chosen: ["lost", "b"], fails: { lost: "LINK_LOST" } });

  await expect(fleet.run(start("one"))).rejects.toMatchObject({ code: "LINK_LOST" });

  expect(fleet.ran).toEqual(["one at lost"]);
  expect(fleet.open()).toBe(0);
});

test("hosts that are all full are asked a few times", async () => {
  const fleet = turnsOf({ chosen: ["a"], fails: { a: "SESSION_LIMIT", nowhere: "SESSION_LIMIT" } });

  await expect(fleet.run(start("one"))).rejects.toMatchObject({ code: "SESSION_LIMIT" });

  expect(fleet.ran).toHaveLength(6);
});

test("a name that runs elsewhere is used there, if that is asked for", async () => {
  const names: Record<string, string> = {};
  const fleet = turnsOf({ chosen: ["a"], fails: { a: "NAME_TAKEN" }, names });
  const shared = fleet.run(start("one", { name: "dev", reuse: true }));
  names["dev"] = "b";

  expect((await shared).session).toEqual({ place: "b" });
});

test("a name that somebody else was faster with is refused, unless the session is to be used", async () => {
  const names: Record<string, string> = {};
  const fleet = turnsOf({ chosen: ["a"], fails: { a: "NAME_TAKEN" }, names });
  const own = fleet.run(start("one", { name: "dev" }));
  await Promise.resolve();
  names["dev"] = "b";

  await expect(own).rejects.toMatchObject({ code: "NAME_TAKEN" });
});
