import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ORIGIN_CHANGES } from "../base/limits.ts";
import type { Origin } from "../transport/transport.ts";
import { Origins } from "./origins.ts";

const origin = fc.constantFrom<Origin>("stdout", "stderr");

test("spans agree with a list of all bytes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(origin, fc.integer({ min: 0, max: 9 })), { maxLength: 30 }),
      fc.nat(200),
      fc.nat(200),
      (chunks, a, b) => {
        const origins = new Origins();
        const naive: Origin[] = [];
        for (const [from, length] of chunks) {
          if (length > 0) origins.note(naive.length, from);
          for (let index = 0; index < length; index += 1) naive.push(from);
        }
        const [from, to] = [Math.min(a, b, naive.length), Math.min(Math.max(a, b), naive.length)];

        const spans = origins.spans(from, to);

        expect(spans.flatMap((span) => naive.slice(span.from, span.to))).toEqual(naive.slice(from, to));
        expect(spans.every((span) => naive.slice(span.from, span.to).every((each) => each === span.origin))).toBe(true);
        expect(spans.every((span, index) => index === 0 || spans[index - 1]?.origin !== span.origin)).toBe(true);
      },
    ),
  );
});

test("beyond the limit the oldest changes are dropped and the newest are right", () => {
  const origins = new Origins();
  const count = MAX_ORIGIN_CHANGES + 10;
  for (let at = 0; at < count; at += 1) origins.note(at, at % 2 === 0 ? "stdout" : "stderr");

  expect(origins.spans(count - 2, count)).toEqual([
    { from: count - 2, to: count - 1, origin: "stdout" },
    { from: count - 1, to: count, origin: "stderr" },
  ]);
  expect(origins.spans(0, 10)).toHaveLength(1);
});

test("before any output there are no spans", () => {
  expect(new Origins().spans(0, 10)).toEqual([]);
});
