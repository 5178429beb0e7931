/** Checks a session record from disk, of which any byte may be wrong. Pure. */
import { isAbsolute } from "node:path";
import { z } from "zod";
import { MAX_COLS, MAX_NAME_LENGTH, MAX_ROWS } from "../../base/limits.ts";
import { LIMIT_NAMES } from "../../base/session-limits.ts";
import { limits } from "../limits-schema.ts";
import { sandbox } from "../sandbox-schema.ts";
import type { SessionRecord } from "./session-record.ts";

/** The version of the form. A record of another form belongs to another version of limpet. */
export const FORM = 1;

export type ParsedRecord =
  | { readonly kind: "record"; readonly record: SessionRecord }
  /** Of another version of limpet, which may still need it. */
  | { readonly kind: "foreign" }
  | { readonly kind: "damaged"; readonly problem: string };

const whole = z.int().min(0);
const text = z.string();
const path = text.refine(isAbsolute, "not an absolute path");

const endNotes = {
  outOfMemory: z.literal(true).optional(),
  limit: z.enum(LIMIT_NAMES).optional(),
};

const schema: z.ZodType<SessionRecord> = z.object({
  id: whole.min(1),
  name: text.min(1).max(MAX_NAME_LENGTH).nullable(),
  owner: z.object({ caller: text, project: path.nullable() }).optional(),
  program: text.min(1),
  args: z.array(text),
  cwd: path,
  tty: z.boolean(),
  sandbox: sandbox.optional(),
  limits: limits.optional(),
  secretEnv: z.record(text, text).optional(),
  size: z.object({ cols: z.int().min(1).max(MAX_COLS), rows: z.int().min(1).max(MAX_ROWS) }),
  mark: text.regex(/^[0-9a-f]{32}$/),
  boot: text.min(1),
  startedAt: whole,
  trace: z.object({ pid: whole.min(1), startTime: text.regex(/^\d+$/), group: path.optional() }).nullable(),
  exit: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("code"), code: whole.max(255), ...endNotes }),
      z.object({ kind: z.literal("signal"), signal: text.min(1), ...endNotes }),
      z.object({ kind: z.literal("lost") }),
    ])
    .nullable(),
  lost: z.boolean(),
  end: whole.nullable(),
  directory: path.optional(),
}) as z.ZodType<SessionRecord>;

/** `name` is the name of the record's directory, which repeats the id and the beginning of the mark. */
export function parseRecord(content: string, name: string): ParsedRecord {
  const value = parseJson(content);
  if (typeof value !== "object" || value === null) return damaged("it is not a JSON object");
  const { form, ...rest } = value as { readonly form?: unknown };
  if (typeof form === "number" && Number.isInteger(form) && form > FORM) return { kind: "foreign" };
  if (form !== FORM) return damaged(`its form is ${JSON.stringify(form)}`);
  const parsed = schema.safeParse(rest);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return damaged(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { id, mark } = parsed.data;
  if (name !== `${id}-${mark.slice(0, 8)}`) return damaged(`it is the record of session ${id} with another mark`);
  return { kind: "record", record: parsed.data };
}

function damaged(problem: string): ParsedRecord {
  return { kind: "damaged", problem };
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}
