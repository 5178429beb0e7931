import fc from "fast-check";
import { expect, test } from "vitest";
import { lineSteps } from "./byte-lines.ts";

test("steps are the bytes in order, none too long, and end a line where they can", () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((all) => all.map((byte) => (byte < 40 ? 0x0a : byte)));
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 50 }), (whole, most) => {
      const steps = [...lineSteps(whole, most)];
      expect(Buffer.concat(steps.map((step) => step.bytes))).toEqual(Buffer.from(whole));
      for (const [index, { at, bytes: step }] of steps.entries()) {
        expect(step.length).toBeGreaterThan(0);
        expect(step.length).toBeLessThanOrEqual(most);
        expect(Buffer.from(whole.subarray(at, at + step.length))).toEqual(Buffer.from(step));
        const isLast = index === steps.length - 1;
        if (!isLast && step.includes(0x0a)) expect(step.at(-1)).toBe(0x0a);
      }
    }),
  );
});
