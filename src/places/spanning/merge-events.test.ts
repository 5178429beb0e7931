import { expect, test } from "vitest";
import type { EventPage } from "../../service/events/session-event.ts";
import { type EventSource, mergeEvents } from "./merge-events.ts";

const page = (dropped: number): EventPage => ({ events: [], dropped });

/** Ends with its signal. */
function source(...pages: readonly number[]): EventSource {
  return async function* (signal) {
    for (const each of pages) yield page(each);
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
}

async function* failing(): AsyncGenerator<EventPage> {
  yield page(9);
  throw new Error("The link broke.");
}

async function take(pages: AsyncIterable<EventPage>, count: number): Promise<number[]> {
  const taken: number[] = [];
  for await (const { dropped } of pages) {
    taken.push(dropped);
    if (taken.length === count) break;
  }
  return taken.sort();
}

test("pages of all sources arrive, also of one that is added later", async () => {
  let add: (added: EventSource) => void = () => undefined;
  const others = (given: typeof add) => {
    add = given;
    given(source(2));
    return () => undefined;
  };
  const pages = mergeEvents({ main: source(1), others });
  const taking = take(pages, 3);
  add(source(3));

  expect(await taking).toEqual([1, 2, 3]);
});

test("a source that fails does not end the others", async () => {
  const others = (add: (added: EventSource) => void) => {
    add(failing);
    return () => undefined;
  };

  expect(await take(mergeEvents({ main: source(1, 2), others }), 3)).toEqual([1, 2, 9]);
});

test("the failure of the first source is that of the stream", async () => {
  const pages = mergeEvents({ main: failing, others: () => () => undefined });

  await expect(take(pages, 5)).rejects.toThrow("The link broke.");
});

test("an abort ends the stream", async () => {
  const stop = new AbortController();
  const taking = take(mergeEvents({ main: source(1), others: () => () => undefined, signal: stop.signal }), 5);
  stop.abort();

  expect(await taking).toEqual([1]);
});
