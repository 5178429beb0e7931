import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteRing } from "./byte-ring.ts";

test("keeps the latest bytes, whatever the chunks, the bound and the start", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 6_000 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 20_000 }),
      fc.nat(100_000),
      (chunks, maxBytes, start) => {
        const ring = new ByteRing(maxBytes, start);
        let all = Buffer.alloc(0);
        for (const chunk of chunks) {
          ring.append(chunk);
          all = Buffer.concat([all, chunk]);

          const kept = all.subarray(Math.max(0, all.length - maxBytes));
          expect([ring.start, ring.end]).toEqual([start + all.length - kept.length, start + all.length]);
          expect(kept.equals(ring.copy(ring.start, ring.end))).toBe(true);
        }
      },
    ),
  );
});

test("a copy of a part is that part, and does not change later", () => {
  const ring = new ByteRing(4, 10);
  ring.append(Uint8Array.of(1, 2, 3, 4, 5, 6));

  const part = ring.copy(13, 15);
  ring.append(Uint8Array.of(7, 8, 9, 9));

  expect([...part]).toEqual([4, 5]);
});

test("nothing can be copied from an empty ring", () => {
  expect([...new ByteRing(4, 7).copy(7, 7)]).toEqual([]);
});
