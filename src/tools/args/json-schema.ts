/** The parameters of a tool as JSON Schema, in as few tokens as possible. Pure. */
import { z } from "zod";

const OMITTED = ["minimum", "maximum", "minItems", "maxItems", "minLength", "propertyNames"] as const;

/**
 * Without `$schema` and bounds, which cost tokens in every conversation: the error for a number states its range. Names
 * in JSON are always strings.
 */
export function toJsonSchema(schema: z.ZodObject): Record<string, unknown> {
  const json = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const word of OMITTED) delete jsonSchema[word];
    },
  });
  const { $schema: _version, ...rest } = json as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest), (_, value) => withoutTypeList(value));
}

/**
 * Also without `default`, which some clients do not pass on: a description states the defaults that a model needs. And
 * without the type of the values of a map: any plain value is accepted.
 */
export function toShortSchema(schema: z.ZodObject): Record<string, unknown> {
  const { properties, ...rest } = toJsonSchema(schema) as { readonly properties: Record<string, object> };
  const short = Object.entries(properties).map(([name, property]) => [name, shortened(property)] as const);
  return { ...rest, properties: Object.fromEntries(short) };
}

function shortened(property: object): object {
  const { default: _usual, additionalProperties: _values, ...rest } = property as Record<string, unknown>;
  return rest;
}

/** For a list of types, Gemini CLI prints a warning at every call. `anyOf` says the same. */
function withoutTypeList(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value)) return value;
  const { type, ...rest } = value;
  if (!Array.isArray(type) || type.includes("null")) return value;
  return { anyOf: type.map((each) => ({ type: each })), ...rest };
}
