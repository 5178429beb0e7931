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

/** Also without the defaults that a model expects, or reads in a description. */
export function toShortSchema(schema: z.ZodObject): Record<string, unknown> {
  return JSON.parse(JSON.stringify(toJsonSchema(schema)), (_, value) => withoutPlainDefault(value));
}

function withoutPlainDefault(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || !("default" in value)) return value;
  const { default: usual, ...rest } = value;
  const inWords = `default ${Array.isArray(usual) ? usual.join(", ") : usual}`;
  const isDescribed = "description" in rest && String(rest.description).endsWith(inWords);
  return isDescribed || usual === false || usual === 0 || usual === "" ? rest : value;
}

/** For a list of types, Gemini CLI prints a warning at every call. `anyOf` says the same. */
function withoutTypeList(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value)) return value;
  const { type, ...rest } = value;
  if (!Array.isArray(type) || type.includes("null")) return value;
  return { anyOf: type.map((each) => ({ type: each })), ...rest };
}
