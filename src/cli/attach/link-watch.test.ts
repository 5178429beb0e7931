import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LinkListener } from "../../host/client/host-link.ts";
import { type LinkedService, LinkWatch } from "./link-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const [onChange, onBack] = [vi.fn(), vi.fn()];
  let tell: LinkListener = () => undefined;
  const onLink = (listener: LinkListener) => {
    tell = listener;
    return () => undefined;
  };
  const watch = new LinkWatch({ isFar: true, onLink } as unknown as LinkedService, { onChange, onBack });
  return { watch, onChange, onBack, tell: (state: "lost" | "up") => tell(state) };
}

test("a lost link is said until it is back, and then for a while that it is back", () => {
  const { watch, onBack, tell } = watched();

  tell("lost");
  expect([watch.isLost, watch.notice]).toEqual([true, "Link lost, connecting again… Keys are not sent."]);
  tell("up");
  expect([watch.isLost, watch.notice, onBack.mock.calls.length]).toEqual([false, "Connected again.", 1]);
  vi.advanceTimersByTime(5_000);

  expect(watch.notice).toBeUndefined();
});

test("keys that were on their way when the link broke are reported as uncertain", () => {
  const { watch, tell } = watched();

  tell("lost");
  watch.noteCut();
  tell("up");

  expect(watch.notice).toContain("may not have arrived");
});

test("keys without an answer are reported as not arrived, until the answer comes", async () => {
  const { watch } = watched();
  let answer: () => void = () => undefined;

  const write = watch.during(new Promise<void>((resolve) => (answer = resolve)));
  await vi.advanceTimersByTimeAsync(2_900);
  expect(watch.notice).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(watch.notice).toContain("has not arrived yet");
  answer();
  await write;

  expect(watch.notice).toBeUndefined();
});

test("the first connection is not a return", () => {
  const { watch, onBack, tell } = watched();

  tell("up");

  expect([watch.notice, onBack.mock.calls.length]).toEqual([undefined, 0]);
});
