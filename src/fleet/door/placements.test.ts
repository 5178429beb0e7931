import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { KnownHost } from "../lease/known-host.ts";
import { encodeMessage } from "../link/open-messages.ts";
import type { Bus } from "../nats/bus.ts";
import { Placements } from "./placements.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

type HostAnswer = object | undefined;

/** Hosts that answer questions for bids as they are told; undefined: they are not there. */
function fleetOf(answers: Readonly<Record<string, () => Promise<HostAnswer> | HostAnswer>>) {
  let hosts: readonly KnownHost[] = Object.keys(answers).map((name) => ({
    name,
    epoch: 1,
    state: "up",
    labels: [],
    free: 256,
    sessions: 0,
    ageMs: 0,
  }));
  const request: Bus["request"] = async (subject, _, { timeoutMs }) => {
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), timeoutMs));
    const answer = await Promise.race([answers[subject.split(".")[2] ?? ""]?.(), late]);
    return answer && encodeMessage(answer);
  };
  const placements = new Placements(() => hosts);
  return {
    place: (signal?: AbortSignal) => placements.place({ request } as Bus, { labels: undefined, signal }),
    /** All hosts, or one of them. */
    becomes: (now: Pick<KnownHost, "state" | "ageMs">, name?: string) => {
      hosts = hosts.map((host) => (name === undefined || host.name === name ? { ...host, ...now } : host));
    },
  };
}

const bid = { epoch: 1, sessions: 0, free: 256, load: 0, hasImage: true, hasWorkspace: true };
const never = () => new Promise<never>(() => undefined);
const after = (ms: number, answer: HostAnswer) => () =>
  new Promise<HostAnswer>((resolve) => setTimeout(() => resolve(answer), ms));

/** Lets everything run that does not wait for a timer. */
const settled = () => vi.advanceTimersByTimeAsync(0);

test("a host is not full because a door has placed many sessions there, one after the other", async () => {
  const { place } = fleetOf({ a: () => bid });

  for (let count = 0; count < 300; count += 1) (await place()).settle();

  expect((await place()).host).toBe("a");
});

test("a burst waits in order: the next start is placed when one is settled, or has surely started", async () => {
  const { place } = fleetOf({ a: () => bid });
  const placed: number[] = [];
  const burst = Array.from({ length: 40 }, async (_, at) => {
    const one = await place();
    placed.push(at);
    return one;
  });
  await settled();
  const atFirst = placed.length;
  (await burst[0])?.settle();
  await settled();
  const afterOne = placed.length;
  await vi.advanceTimersByTimeAsync(1_000);

  expect([atFirst, afterOne]).toEqual([32, 33]);
  expect(placed).toEqual(Array.from({ length: 40 }, (_, at) => at));
});

test("a start that is given up while it waits is not placed", async () => {
  let asked = 0;
  const { place } = fleetOf({
    a: () => {
      asked += 1;
      return bid;
    },
  });
  for (let count = 0; count < 32; count += 1) await place();
  const gone = new AbortController();
  const waiting = place(gone.signal);

  gone.abort(new Error("enough"));

  await expect(waiting).rejects.toThrow("enough");
  expect(asked).toBe(32);
});

test("a busy host that answers after seconds is chosen if nobody else bids", async () => {
  const { place } = fleetOf({
    busy: after(20_000, bid),
    full: () => ({ refused: "full", sessions: 256, load: 0 }),
    gone: () => undefined,
  });

  const placing = place();
  await vi.advanceTimersByTimeAsync(20_000);

  expect((await placing).host).toBe("busy");
});

test("a host that has not answered after a second is left out if another one has", async () => {
  const { place } = fleetOf({ busy: never, prompt: () => ({ ...bid, sessions: 200, free: 56 }) });

  const placing = place();
  await vi.advanceTimersByTimeAsync(1_000);

  expect((await placing).host).toBe("prompt");
});

test("a silent host is waited for until its lease has long expired", async () => {
  const { place, becomes } = fleetOf({ a: never });
  const placing = expect(place()).rejects.toMatchObject({
    code: "FLEET_FULL",
    message: expect.stringContaining("a is unreachable"),
  });
  let isOver = false;
  void placing.finally(() => {
    isOver = true;
  });

  becomes({ state: "unreachable", ageMs: 16_000 });
  await vi.advanceTimersByTimeAsync(14_000);
  const wasOver = isOver;
  becomes({ state: "unreachable", ageMs: 30_000 });
  await vi.advanceTimersByTimeAsync(1_000);

  await placing;
  expect(wasOver).toBe(false);
});

test("a host that was too busy to renew its lease is asked again when it is back", async () => {
  let asked = 0;
  const { place, becomes } = fleetOf({
    // Ignores questions while it has no lease.
    a: () => {
      asked += 1;
      return asked <= 2 ? never() : bid;
    },
  });
  const placing = place();
  await settled();
  becomes({ state: "unreachable", ageMs: 16_000 });
  await vi.advanceTimersByTimeAsync(5_000);
  becomes({ state: "up", ageMs: 0 });
  await vi.advanceTimersByTimeAsync(1_000);

  expect((await placing).host).toBe("a");
});

test("a host whose lease has expired is not asked while another one is up", async () => {
  const { place, becomes } = fleetOf({ a: () => bid, b: () => bid });
  becomes({ state: "unreachable", ageMs: 16_000 }, "a");

  const chosen = await Promise.all(Array.from({ length: 20 }, async () => (await place()).host));

  expect(new Set(chosen)).toEqual(new Set(["b"]));
});

test("a host that has died is not waited for, although its lease has only just expired", async () => {
  const { place, becomes } = fleetOf({ a: () => undefined });
  becomes({ state: "unreachable", ageMs: 16_000 });

  await expect(place()).rejects.toMatchObject({ message: expect.stringContaining("a is unreachable") });
});

test("a host that has left is not waited for", async () => {
  const { place, becomes } = fleetOf({ a: never });
  becomes({ state: "unreachable", ageMs: null });

  await expect(place()).rejects.toMatchObject({ message: expect.stringContaining("a is unreachable") });
});

test("a host that never answers is reported at the deadline", async () => {
  const { place } = fleetOf({ a: never });
  const placing = expect(place()).rejects.toMatchObject({
    code: "FLEET_FULL",
    message: expect.stringContaining("a did not answer in time"),
  });

  await vi.advanceTimersByTimeAsync(60_000);

  await placing;
});

test("what hosts say themselves is reported, and not what their leases said", async () => {
  const { place } = fleetOf({
    a: () => ({ refused: "full", sessions: 256, load: 0 }),
    b: () => ({ refused: "draining", sessions: 3, load: 0 }),
  });

  await expect(place()).rejects.toMatchObject({
    code: "FLEET_FULL",
    message: expect.stringMatching(/a is full \(256 sessions\); b is draining/),
  });
});
