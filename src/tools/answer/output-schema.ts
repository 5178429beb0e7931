/** JSON Schema of the tools' results: small and complete, so that a client can check every field. */

export type FieldSchema =
  | {
      readonly type: "string" | "integer" | "number" | "boolean" | readonly [string, "null" | "string"];
      readonly enum?: readonly (string | null)[];
    }
  | { readonly type: "array"; readonly items: OutputSchema }
  | (OutputSchema & { readonly type: "object" | readonly ["object", "null"] });

export interface OutputSchema {
  readonly type: "object" | readonly ["object", "null"];
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

type Fields = Readonly<Record<string, FieldSchema>>;

export const text: FieldSchema = { type: "string" };
export const whole: FieldSchema = { type: "integer" };
export const number: FieldSchema = { type: "number" };
export const flag: FieldSchema = { type: "boolean" };
export const textOrNull: FieldSchema = { type: ["string", "null"] };
export const wholeOrNull: FieldSchema = { type: ["integer", "null"] };

/** An object. Its fields are required, except those in `optional`. */
export function fields(properties: Fields, optional: Fields = {}): OutputSchema & { readonly type: "object" } {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export function listOf(items: OutputSchema): FieldSchema {
  return { type: "array", items };
}

export function oneOf(...values: readonly string[]): FieldSchema {
  return { type: "string", enum: values };
}

export const waitingFor: FieldSchema = {
  type: ["string", "null"],
  enum: ["line", "password", "key", "unknown", null],
};

/** The fields of every tool that runs or waits for a program. */
export const outcomeFields: Fields = {
  session_id: whole,
  running: flag,
  exit_code: wholeOrNull,
  signal: textOrNull,
  output: text,
  truncated: flag,
  original_token_count: wholeOrNull,
  waiting_for: waitingFor,
  cursor: whole,
  dropped_bytes: whole,
};

/** The fields that `exec_command`, `write_stdin` and `wait_for` have in common. */
export const callFields: Fields = {
  ...outcomeFields,
  name: textOrNull,
  wall_time_seconds: number,
  yielded: oneOf("exited", "finished", "matched", "input", "quiet", "listening", "idle", "deadline"),
};

/** The tag of limpet's own lines in `output`, if it has any. */
export const tagField: Fields = { tag: text };

/** The fields that these tools have in some cases: with a command in a persistent shell that finished, for example. */
export const optionalCallFields: Fields = { ...tagField, command_exit_code: wholeOrNull, cwd: text };

/** The fields of a wait for an approval. */
export const approvalFields: Fields = {
  approval: whole,
  decision: oneOf("open", "approved", "used", "denied", "expired", "withdrawn"),
};

/** With places, the id of a session can be a text such as `build/7`. */
export function withPlacedIds(schema: OutputSchema, places: readonly string[]): OutputSchema {
  if (places.length === 0) return schema;
  const properties = Object.entries(schema.properties).map(([name, field]): [string, FieldSchema] => {
    if (name === "session_id") return [name, { type: ["integer", "string"] }];
    return [name, field.type === "array" ? { ...field, items: withPlacedIds(field.items, places) } : field];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
