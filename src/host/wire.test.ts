import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOf } from "../../test/support/sessions.ts";
import { fromWire, toWire } from "./wire.ts";

const crossed = (value: unknown) => fromWire(JSON.parse(JSON.stringify(toWire(value))));

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

test.each([
  ["nested a hundred thousand times", JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)],
  ["a pattern that does not compile", { until: { $regexp: ["(", ""] } }],
])("what nobody could have sent is refused: %s", async (_what, value) => {
  expect(await codeOf(Promise.resolve().then(() => fromWire(value)))).toBe("BAD_OPTION");
});

test("a function is refused", async () => {
  expect(await codeOf(Promise.resolve().then(() => toWire({ tokenizer: () => 1 })))).toBe("BAD_OPTION");
});
