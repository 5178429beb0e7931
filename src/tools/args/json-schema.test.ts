import { expect, test } from "vitest";
import { z } from "zod";
import { toJsonSchema, toShortSchema } from "./json-schema.ts";
import { integer, withDefault } from "./params.ts";

const schema = z.object({
  wait: withDefault(integer(0, 10), 5),
  events: z.array(z.string()).default(["a", "b"]).describe("default a, b"),
  ended: z.boolean().default(false),
  from: z.int().default(0),
  chars: z.string().default(""),
  fold: z.boolean().default(true),
  since: z.enum(["unread", "now"]).default("unread").describe("now: skip output"),
});

test("a short schema has no default that its description has, and none that is nothing", () => {
  expect(toShortSchema(schema)).toEqual({
    type: "object",
    properties: {
      wait: { type: "integer", description: "default 5" },
      events: { type: "array", items: { type: "string" }, description: "default a, b" },
      ended: { type: "boolean" },
      from: { type: "integer" },
      chars: { type: "string" },
      fold: { type: "boolean", default: true },
      since: { type: "string", enum: ["unread", "now"], default: "unread", description: "now: skip output" },
    },
  });
});

test("a full schema has all of them", () => {
  const { properties } = toJsonSchema(schema) as { properties: Record<string, { default: unknown }> };

  expect(Object.values(properties).map(({ default: usual }) => usual)).toEqual([
    5,
    ["a", "b"],
    false,
    0,
    "",
    true,
    "unread",
  ]);
});
