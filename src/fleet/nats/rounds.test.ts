import { expect, onTestFinished, test, vi } from "vitest";
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { Rounds } from "./rounds.ts";

function open() {
  vi.useFakeTimers();
  const started: Deferred<void>[] = [];
  const [problems, starts]: [string[], string[]] = [[], []];
  const backs: (() => void)[] = [];
  const onBack = (listener: () => void) => {
    backs.push(listener);
    return () => undefined;
  };
  const rounds = new Rounds(
    { onBack },
    {
      what: "fleet",
      everyMs: 5_000,
      work: () => {
        const round = deferred<void>();
        started.push(round);
        return round.promise;
      },
      startOver: () => void starts.push("over"),
      onProblem: (text) => void problems.push(text),
    },
  );
  onTestFinished(async () => {
    for (const round of started) round.resolve();
    await rounds.close();
    vi.useRealTimers();
  });
  return { rounds, started, problems, starts, back: () => backs.map((listener) => listener()) };
}

test("one round runs at a time, and who needs a later one shares it", async () => {
  const { rounds, started } = open();

  const joined = [rounds.run(), rounds.run()];
  const later = [rounds.runAfresh(), rounds.runAfresh()];
  expect(started).toHaveLength(1);
  started[0]?.resolve();
  await Promise.all(joined);
  expect(started).toHaveLength(2);
  started[1]?.resolve();
  await Promise.all(later);

  expect(started).toHaveLength(2);
});

test("changes of a moment share a round, and none follows the end", async () => {
  const { rounds, started } = open();

  rounds.runSoon();
  rounds.runSoon();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).toHaveLength(1);
  started[0]?.resolve();
  await rounds.close();
  rounds.runSoon();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(started).toHaveLength(1);
});

test("a problem is reported once until a round succeeds, and the round after a failure starts over", async () => {
  const { rounds, started, problems, starts } = open();
  const fail = async (error: Error | undefined) => {
    const round = rounds.run();
    if (error) started.at(-1)?.reject(error);
    else started.at(-1)?.resolve();
    await round;
  };

  for (const error of [new Error("gone"), new Error("gone"), undefined, new Error("gone")]) await fail(error);

  expect(problems).toEqual(["fleet: gone", "fleet: gone"]);
  expect(starts).toEqual(["over", "over"]);
});

test("everything is written again when NATS is back", async () => {
  const { rounds, started, starts, back } = open();
  const first = rounds.run();

  back();
  started[0]?.resolve();
  await first;
  await vi.advanceTimersByTimeAsync(0);

  expect([starts, started.length]).toEqual([["over"], 2]);
});
