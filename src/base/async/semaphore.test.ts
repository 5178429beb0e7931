import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

test("tasks run in order, and no more at once than allowed", async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const enter = async (task: number) => {
    const leave = await semaphore.enter();
    started.push(task);
    return leave;
  };
  const [first, second, third, fourth] = [enter(1), enter(2), enter(3), enter(4)];

  await Promise.all([first, second]);
  const atFirst = [...started];
  const leaveFirst = await first;
  leaveFirst();
  leaveFirst();
  await third;

  expect([atFirst, started]).toEqual([
    [1, 2],
    [1, 2, 3],
  ]);
  (await second)();
  await fourth;
});

test("a task that gives up while it waits takes nobody's turn", async () => {
  const semaphore = new Semaphore(1);
  const leave = await semaphore.enter();
  const gone = new AbortController();
  const givenUp = semaphore.enter(gone.signal);
  const next = semaphore.enter();

  gone.abort(new Error("enough"));
  await expect(givenUp).rejects.toThrow("enough");
  leave();

  (await next)();
  expect(await semaphore.pass(async () => "free")).toBe("free");
});
