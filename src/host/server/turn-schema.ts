/** The schema of a turn, and of the fields that other requests share with it. */
import { z } from "zod";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { ReportedEvents } from "../../service/events/reported-events.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { Receipt } from "../../service/turn/receipt.ts";
import type { TurnVerdict } from "../../service/turn/turn-verdict.ts";
import { givenLimits, limits } from "../limits-schema.ts";
import { sandbox } from "../sandbox-schema.ts";

export const key: z.ZodType<SessionKey> = z.union([z.int(), z.string()]);
export const size: z.ZodType<TerminalSize> = z.strictObject({ cols: z.number(), rows: z.number() });
/** Not `z.record`: zod would copy the object, and check each of a hundred names and values in several steps. */
export const env: z.ZodType<Record<string, string>> = z
  .custom<Record<string, string>>()
  .superRefine((given, context) => {
    const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
    if (!isObject) context.addIssue({ code: "custom", message: "expected an object of strings" });
    const wrong = isObject ? Object.keys(given).find((name) => typeof given[name] !== "string") : undefined;
    if (wrong !== undefined) context.addIssue({ code: "custom", path: [wrong], message: "expected a string" });
  });
const pattern = z.union([z.string(), z.instanceof(RegExp)]);
export const caller: z.ZodString = z.string().min(1);
export const requestId: z.ZodString = z.string().min(1).max(256);
const count = z.number();
const tag = z
  .string()
  .regex(/^\S{1,32}$/, "expected a word of at most 32 characters")
  .optional();
export const cursor: z.ZodInt = z.int().min(0);

const mouse = z.looseObject({ kind: z.enum(["click", "press", "release", "move", "wheel"]), row: count, col: count });
export const stroke: z.ZodType = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
  z.strictObject({ kind: z.literal("key"), name: z.string() }),
  z.strictObject({ kind: z.literal("paste"), text: z.string() }),
  z.strictObject({ kind: z.literal("mouse"), event: mouse }),
]);

const start = z.strictObject({
  command: z.string().optional(),
  program: z.string().optional(),
  args: z.array(z.string()).optional(),
  shell: z.string().optional(),
  login: z.boolean().optional(),
  cwd: z.string().optional(),
  env: env.optional(),
  tty: z.boolean().optional(),
  size: size.optional(),
  name: z.string().optional(),
  reuse: z.boolean().optional(),
  answerQueries: z.boolean().optional(),
  endsWhenLeft: z.boolean().optional(),
  copy: z.boolean().optional(),
  sandbox: z.union([sandbox, z.literal("off")]).optional(),
  limits: givenLimits.optional(),
  secretEnv: env.optional(),
});

const run = z.strictObject({
  command: z.string(),
  shell: key,
  timeoutMs: count.optional(),
  waitMs: count.optional(),
  maxTokens: count.optional(),
  fold: z.boolean().optional(),
  tag,
  stdin: z.string().nullable().optional(),
  cwd: z.string().optional(),
  env: env.optional(),
  cols: count.optional(),
  sandbox: start.shape.sandbox,
  fresh: start
    .pick({ cwd: true, env: true, limits: true, sandbox: true, secretEnv: true, shell: true })
    .extend({ defaultCwd: z.string().optional(), startFiles: z.enum(["none", "rc", "login"]).optional() })
    .optional(),
});

const target = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("start"), start }),
  z.strictObject({ kind: z.literal("run"), run }),
  z.strictObject({ kind: z.literal("session"), key }),
  z.strictObject({
    kind: z.literal("several"),
    keys: z.union([z.array(key), z.literal("running")]),
    isPart: z.boolean().optional(),
  }),
]);

const wait = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("output"),
    until: pattern.optional(),
    from: cursor.optional(),
    quietMs: count.optional(),
    deadlineMs: count.optional(),
    onInput: z.boolean().optional(),
    port: z.union([z.number(), z.literal("any")]).optional(),
  }),
  z.strictObject({
    kind: z.literal("screen"),
    until: pattern.optional(),
    stableMs: count.optional(),
    deadlineMs: count.optional(),
  }),
]);

const text = {
  from: cursor.optional(),
  to: cursor.optional(),
  maxTokens: count.optional(),
  raw: z.boolean().optional(),
  fold: z.boolean().optional(),
  tag,
  origin: z.enum(["terminal", "stdout", "stderr"]).optional(),
};

const read = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("unread"),
      endAtMatch: z.boolean().optional(),
      whole: z.boolean().optional(),
      ...text,
    })
    .omit({ from: true, origin: true }),
  z.strictObject({ kind: z.enum(["text", "page"]), ...text }),
  z.strictObject({ kind: z.literal("head"), lines: count, ...text }),
  z.strictObject({ kind: z.literal("tail"), lines: count, ...text }),
  z.strictObject({
    kind: z.literal("search"),
    pattern: z.string(),
    from: cursor.optional(),
    to: cursor.optional(),
    origin: text.origin,
    tag,
    raw: z.boolean().optional(),
    context: count.optional(),
    maxMatches: count.optional(),
    maxLineChars: count.optional(),
  }),
  z.strictObject({ kind: z.literal("screen"), scrollback: count.optional(), cells: z.boolean().optional() }),
]);

const events = z.strictObject({
  finishes: cursor,
  hasEnded: z.boolean(),
  prompt: z.strictObject({ state: z.string(), lastInputMs: z.number(), cursor, fingerprint: z.string() }).nullable(),
  ports: z.array(z.number()),
}) satisfies z.ZodType<ReportedEvents>;

export const delivered: z.ZodObject = z.strictObject({
  caller,
  receipt: z.strictObject({
    requestId: z.string().nullable(),
    session: cursor,
    from: cursor,
    to: cursor,
    returns: cursor,
    typedBefore: cursor,
    discardsBefore: cursor,
    sizeBefore: size.nullable(),
    eventsBefore: events,
    events,
  }) satisfies z.ZodType<Receipt>,
});

export const verdict: z.ZodType<TurnVerdict> = z.strictObject({
  decision: z.enum(["allow", "ask"]),
  rule: z.string().nullable(),
  approvedBy: z.string().nullable(),
  approval: z.int().nullable(),
});

export const turn: z.ZodObject = z.strictObject({
  caller,
  requestId: requestId.optional(),
  on: target,
  skipUnread: z.boolean().optional(),
  input: z
    .strictObject({
      strokes: z.array(stroke),
      secret: z.string().optional(),
      by: z.enum(["agent", "person"]).optional(),
    })
    .optional(),
  wait: wait.optional(),
  read: read.optional(),
  within: sandbox.optional(),
  verdict: verdict.optional(),
  limits: limits.optional(),
  tool: z.string().max(64).optional(),
  isWatch: z.boolean().optional(),
});
