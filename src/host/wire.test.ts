import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOf } from "../../test/support/sessions.ts";
import { fromWire, toWire } from "./wire.ts";

const crossed = (value: unknown) => fromWire(JSON.parse(JSON.stringify(toWire(value).value)));

test("what JSON has no word for arrives as it was sent", () => {
  const value = {
    until: /a+b/i,
    bytes: Uint8Array.of(0, 255, 10),
    deadlineMs: Number.POSITIVE_INFINITY,
    list: [null, "x", undefined],
  };

  expect(crossed(value)).toEqual(value);
});

test("an object of a caller's own is not taken for one of ours, whatever its fields are called", () => {
  const env = { $bytes: "aGk=", $undefined: true, $object: { $signal: true }, ["__proto__"]: "x", plain: "y" };

  expect(crossed({ env })).toEqual({ env });
});

test("whatever JSON can say arrives as it was sent", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(crossed(value)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("a signal stays where it is, and another takes its place", () => {
  const { signal } = new AbortController();
  const other = new AbortController().signal;

  const encoded = toWire([{ signal, keys: [1] }]);

  expect(encoded.signal).toBe(signal);
  expect(fromWire(encoded.value, other)).toEqual([{ signal: other, keys: [1] }]);
});

test("a function is refused", async () => {
  expect(await codeOf(Promise.resolve().then(() => toWire({ tokenizer: () => 1 })))).toBe("BAD_OPTION");
});
