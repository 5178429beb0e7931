import fc from "fast-check";
import { expect, test } from "vitest";
import type { Probe } from "../../transport/probe.ts";
import { InputQueue } from "./input-queue.ts";
import { longestLine, openLineAfter } from "./line-length.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const ENDS = "\n\r\x04\x03\x1c\x1a\x15";
/** Text without the quoting key, which has its own test below. */
const typed = fc.string({ unit: fc.constantFrom("a", "b", ...ENDS), maxLength: 60 });
const open = fc.integer({ min: 0, max: 100 });

test("the longest line is the longest part between two ends", () => {
  fc.assert(
    fc.property(open, typed, (before, text) => {
      const [first = "", ...others] = text.split(new RegExp(`[${ENDS}]`));
      const parts = text === "" ? [] : [before + first.length, ...others.map(({ length }) => length)];
      // A line that ended before anything was typed is not made longer by its end.
      const counted = text !== "" && ENDS.includes(text[0] ?? "") ? parts.slice(1) : parts;
      expect(longestLine(before, bytes(text))).toBe(Math.max(0, ...counted));
    }),
  );
});

test("any split of the input leaves the same line open", () => {
  fc.assert(
    fc.property(open, typed, fc.nat(), (before, text, cut) => {
      const at = cut % (text.length + 1);
      const inTwo = openLineAfter(openLineAfter(before, bytes(text.slice(0, at))), bytes(text.slice(at)));
      expect(inTwo).toBe(openLineAfter(before, bytes(text)));
    }),
  );
});

test("the open line is what follows the last line end", () => {
  fc.assert(
    fc.property(open, typed, (before, text) => {
      const parts = text.split(new RegExp(`[${ENDS}]`));
      const last = parts.at(-1)?.length ?? 0;
      expect(openLineAfter(before, bytes(text))).toBe(parts.length === 1 ? before + last : last);
    }),
  );
});

test("a quoted end is a byte of the line", () => {
  expect(longestLine(0, bytes("ab\x16\ncd\n"))).toBe(5);
  expect(openLineAfter(0, bytes("ab\x16\x03"))).toBe(3);
  expect(openLineAfter(0, bytes("\x16\x16\n"))).toBe(0);
});

test("writes are delivered one at a time, in order, and the end comes last", async () => {
  const events: string[] = [];
  const queue = new InputQueue({
    pid: null,
    async write(piece) {
      events.push(`start ${piece.length}`);
      await Promise.resolve();
      events.push(`end ${piece.length}`);
      return piece.length;
    },
    stopWrite: () => undefined,
    endInput: () => void events.push("ended"),
  });

  const writes = [queue.write(bytes("a")), queue.write(bytes("bb"))];
  queue.end();
  await Promise.all(writes);
  await Promise.resolve();

  expect(events).toEqual(["start 1", "end 1", "start 2", "end 2", "ended"]);
  expect(queue.queuedBytes).toBe(0);
});

/** A terminal that accepts nothing by itself. */
function fullTerminal(signalKeys: readonly number[]) {
  const events: string[] = [];
  let stop: (() => void) | undefined;
  let isFull = true;
  const probe = {
    terminalMode: () => undefined,
    unreadInput: () => ({ bytes: 0, isExact: true }),
    hasUnreadInput: () => false,
    discardUnread: () => {
      events.push("emptied");
      isFull = false;
    },
    signalKeys: () => signalKeys,
  } as unknown as Probe;
  const channel = {
    probe,
    write: (piece: Uint8Array) => {
      if (!isFull) {
        events.push(`wrote ${JSON.stringify(new TextDecoder().decode(piece))}`);
        return Promise.resolve(piece.length);
      }
      return new Promise<number>((resolve) => {
        stop = () => resolve(0);
      });
    },
    stopWrite: () => stop?.(),
    pid: null,
    endInput: () => void events.push("ended"),
  };
  return { channel, events };
}

test("an interrupt key discards what is queued before it, and every caller is told", async () => {
  const { channel, events } = fullTerminal([3]);
  const queue = new InputQueue(channel);
  const told: number[] = [];
  const before = ["first", "second"].map((text) => queue.write(bytes(text), (count) => told.push(count)));

  await queue.write(bytes("dropped\x03kept"), (count) => told.push(count));

  const outcomes = await Promise.allSettled(before);
  expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason)).toMatchObject([
    { code: "INPUT_DISCARDED", undeliveredBytes: 5 },
    { code: "INPUT_DISCARDED", undeliveredBytes: 6 },
  ]);
  expect({ events, told, queued: queue.queuedBytes }).toEqual({
    events: ["emptied", 'wrote "\\u0003kept"'],
    told: [5, 6, 7],
    queued: 0,
  });
});

test("a quoted interrupt key, and one that the terminal does not act on, wait their turn", async () => {
  for (const [keys, text] of [
    [[3], "a\x16\x03"],
    [[], "a\x03"],
  ] as const) {
    const { channel, events } = fullTerminal(keys);
    const queue = new InputQueue(channel);
    const writes = [queue.write(bytes("first")), queue.write(bytes(text))];

    expect({ events, queued: queue.queuedBytes }).toEqual({ events: [], queued: 5 + text.length });
    queue.programEnded();
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  }
});

test("what is queued when the program ends is reported as not delivered", async () => {
  const queue = new InputQueue(fullTerminal([]).channel);
  const writes = [queue.write(bytes("first")), queue.write(bytes("second"))];

  queue.programEnded();

  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason)).toMatchObject([
    { code: "INPUT_NOT_DELIVERED", undeliveredBytes: 5 },
    { code: "INPUT_NOT_DELIVERED", undeliveredBytes: 6 },
  ]);
  expect(queue.unreadBytes).toBe(11);
});
