import { expect, test } from "vitest";
import { HOST_MAX_SESSIONS } from "../../../base/limits.ts";
import type { SessionService } from "../../../service/session-service.ts";
import type { TurnAnswer } from "../../../service/turn/turn-answer.ts";
import { RunningWatch } from "./running-watch.ts";

/** Sessions that run until the test ends them, and how many of them somebody waits for. */
function fleetOf(count: number) {
  const running = new Set(Array.from({ length: count }, (_, id) => id));
  const waits = new Map<number, { end: () => void; fail: () => void }>();
  let asked = 0;
  const sessions = {
    running: async () => {
      asked += 1;
      return [...running].map((id) => ({ id, name: null, place: null, isIdle: false }));
    },
    turn: ({ on }: { readonly on: { readonly key: number } }) =>
      new Promise<TurnAnswer>((resolve, reject) => {
        const exited = { result: { reason: "exited", exit: { kind: "code", code: 0 } } } as unknown as TurnAnswer;
        waits.set(on.key, {
          end: () => {
            running.delete(on.key);
            waits.delete(on.key);
            resolve(exited);
          },
          fail: () => {
            waits.delete(on.key);
            reject(new Error("out of reach"));
          },
        });
      }),
  } as unknown as SessionService;
  return { sessions, waits, asked: () => asked };
}

test("of a large fleet as many sessions are watched as one host can run, and others when some of these have ended", async () => {
  const fleet = fleetOf(HOST_MAX_SESSIONS + 44);
  let changes = 0;
  const watch = new RunningWatch({
    sessions: fleet.sessions,
    signal: new AbortController().signal,
    onChange: () => {
      changes += 1;
    },
  });

  watch.refreshSoon();
  await expect.poll(() => fleet.waits.size).toBe(HOST_MAX_SESSIONS);
  for (const { end } of [...fleet.waits.values()].slice(0, 100)) end();
  await expect.poll(() => fleet.waits.size).toBe(HOST_MAX_SESSIONS + 44 - 100);

  expect(changes).toBe(2);
});

test("a session that cannot be watched is not tried again and again", async () => {
  const fleet = fleetOf(1);
  const watch = new RunningWatch({
    sessions: fleet.sessions,
    signal: new AbortController().signal,
    onChange: () => undefined,
  });

  watch.refreshSoon();
  await expect.poll(() => fleet.waits.size).toBe(1);
  fleet.waits.get(0)?.fail();
  await expect.poll(fleet.asked).toBe(2);
  watch.refreshSoon();
  await expect.poll(fleet.asked).toBe(3);

  expect(fleet.waits.size).toBe(0);
});
