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
  env: z.record(z.string(), z.string()).optional(),
});

test("a short schema says defaults in words alone, and not what the values of a map are", () => {
  expect(toShortSchema(schema)).toEqual({
    type: "object",
    properties: {
      wait: { type: "integer", description: "default 5" },
      events: { type: "array", items: { type: "string" }, description: "default a, b" },
      ended: { type: "boolean" },
      from: { type: "integer" },
      chars: { type: "string" },
      fold: { type: "boolean" },
      since: { type: "string", enum: ["unread", "now"], description: "now: skip output" },
      env: { type: "object" },
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
    undefined,
  ]);
});
