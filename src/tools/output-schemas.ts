/**
 * JSON Schemas of what tools give besides their text. Nothing is required in them: an error has the same place and only
 * the field `error`, and some clients hold it against the schema too.
 */

export type OutputSchema = Readonly<Record<string, unknown>>;

function object(properties: Readonly<Record<string, unknown>>): OutputSchema {
  return { type: "object", properties };
}

const integer = { type: "integer" };
const boolean = { type: "boolean" };
const string = { type: "string" };
const maybe = (type: string) => ({ type: [type, "null"] });

const exit = { running: boolean, exit_code: maybe("integer"), signal: maybe("string") };

/** What calls give that wait on a session. */
export const callResultSchema: OutputSchema = object({
  session_id: integer,
  name: maybe("string"),
  ...exit,
  output: string,
  truncated: boolean,
  original_token_count: maybe("integer"),
  wall_time_seconds: { type: "number" },
  yielded: { enum: ["exited", "matched", "input", "quiet", "listening", "deadline"] },
  waiting_for: { enum: ["line", "password", "key", "unknown", null] },
  cursor: integer,
  dropped_bytes: integer,
});

const lines = { type: "array", items: object({ line: integer, isMatch: boolean, text: string }) };

export const readOutputSchema: OutputSchema = object({
  session_id: integer,
  output: string,
  truncated: boolean,
  original_token_count: maybe("integer"),
  cut: { type: ["object", "null"], properties: { from: integer, to: integer } },
  cursor: integer,
  dropped_bytes: integer,
  total_matches: integer,
  lines,
});

export const listSessionsSchema: OutputSchema = object({
  sessions: {
    type: "array",
    items: object({
      session_id: integer,
      name: maybe("string"),
      program: string,
      ...exit,
      waiting_for: maybe("string"),
      listening: { type: "array", items: object({ address: string, port: integer }) },
      age_seconds: { type: "number" },
      idle_seconds: { type: "number" },
      output_bytes: integer,
      last_line: string,
    }),
  },
});
