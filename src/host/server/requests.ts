/**
 * The requests to the sessions of a host: for each method, the schema of its params and the call that serves it. A
 * request that does not match is refused with the name of the field.
 */
import { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
import type { ReportedEvents } from "../../service/events/reported-events.ts";
import type { SessionInput, SessionService, WriteOptions } from "../../service/session-service.ts";
import type { Receipt, TurnRequest } from "../../service/turn.ts";

export interface Request {
  /** One answer, an answer that is mostly output, a stream of values, or no answer. */
  readonly kind: "answer" | "reading" | "stream" | "notice";
  /** Checks the request. Throws `BAD_OPTION` with the name of the field. */
  parse(params: unknown): Record<string, unknown>;
  serve(service: SessionService, params: never): unknown;
}

/** More would be a hold, which a person releases. */
const MAX_HOLD_MS = 60_000;

const key = z.union([z.int(), z.string()]);
const size = z.strictObject({ cols: z.number(), rows: z.number() });
const env = z.record(z.string(), z.string());
const pattern = z.union([z.string(), z.instanceof(RegExp)]);
const caller = z.string().min(1);
const requestId = z.string().min(1).max(256);
const count = z.number();
const tag = z
  .string()
  .regex(/^\S{1,32}$/, "expected a word of at most 32 characters")
  .optional();
const cursor = z.int().min(0);

const mouse = z.looseObject({ kind: z.enum(["click", "press", "release", "move", "wheel"]), row: count, col: count });
const stroke = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
  z.strictObject({ kind: z.literal("key"), name: z.string() }),
  z.strictObject({ kind: z.literal("paste"), text: z.string() }),
  z.strictObject({ kind: z.literal("mouse"), event: mouse }),
]);

const sandbox = z.strictObject({
  files: z.enum(["read-only", "workspace"]),
  network: z.enum(["on", "off"]).optional(),
});

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
  sandbox: z.union([sandbox, z.literal("off")]).optional(),
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
  fresh: start
    .pick({ cwd: true, env: true, sandbox: true, shell: true })
    .extend({ defaultCwd: z.string().optional(), startFiles: z.enum(["none", "rc", "login"]).optional() })
    .optional(),
});

const target = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("start"), start }),
  z.strictObject({ kind: z.literal("run"), run }),
  z.strictObject({ kind: z.literal("session"), key }),
  z.strictObject({ kind: z.literal("several"), keys: z.union([z.array(key), z.literal("running")]) }),
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
  }),
  z.strictObject({ kind: z.literal("screen"), scrollback: count.optional(), cells: z.boolean().optional() }),
]);

const events = z.strictObject({
  finishes: cursor,
  hasEnded: z.boolean(),
  prompt: z.strictObject({ state: z.string(), lastInputMs: z.number(), cursor, fingerprint: z.string() }).nullable(),
  ports: z.array(z.number()),
}) satisfies z.ZodType<ReportedEvents>;

const delivered = z.strictObject({
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

const turn = z.strictObject({
  caller,
  requestId: requestId.optional(),
  on: target,
  skipUnread: z.boolean().optional(),
  input: z.strictObject({ strokes: z.array(stroke), by: z.enum(["agent", "person"]).optional() }).optional(),
  wait: wait.optional(),
  read: read.optional(),
  within: sandbox.optional(),
  isWatch: z.boolean().optional(),
});

const typed = z.strictObject({
  key,
  input: z.union([z.string(), z.instanceof(Uint8Array), z.array(stroke), z.null()]),
  caller: caller.optional(),
  by: z.enum(["agent", "person"]).optional(),
  holdMs: z.number().min(0).max(MAX_HOLD_MS).optional(),
});

const streaming = z.strictObject({ key, from: cursor.optional(), signal: z.instanceof(AbortSignal).optional() });

const recording = z.strictObject({
  key,
  file: z.string(),
  format: z.union([z.literal(2), z.literal(3)]).optional(),
  from: z.enum(["start", "now"]).optional(),
  input: z.boolean().optional(),
});

const closing = z.strictObject({
  key,
  force: z.boolean(),
  firstSignal: z.enum(["SIGHUP", "SIGTERM"]).optional(),
  keepOutput: z.boolean().optional(),
});

/** All methods of `SessionService`. A missing method does not compile. */
export const REQUESTS: Readonly<Record<keyof SessionService, Request>> = {
  turn: define("answer", turn, (service, request) => service.turn(request as TurnRequest)),
  acknowledge: define("notice", delivered, (service, answer) => service.acknowledge(answer)),
  giveBack: define("notice", z.strictObject({ caller, requestId }), (service, request) => service.giveBack(request)),
  write: define("answer", typed, (service, { key: session, input, ...options }) =>
    service.write(session, input as SessionInput, options as WriteOptions),
  ),
  output: define("stream", streaming, (service, { key: session, ...options }) =>
    service.output(session, options as object),
  ),
  transcript: define(
    "stream",
    streaming.extend({ isLive: z.boolean().optional() }),
    (service, { key: session, ...options }) => service.transcript(session, options as object),
  ),
  find: define("answer", z.strictObject({ key }), (service, { key: session }) => service.find(session)),
  running: define("answer", z.strictObject({}), (service) => service.running()),
  list: define(
    "reading",
    z.strictObject({ ended: z.boolean(), all: z.boolean().optional() }),
    (service, { ended, all = false }) => service.list({ ended, all }),
  ),
  history: define("answer", z.strictObject({ key }), (service, { key: session }) => service.history(session)),
  events: define("stream", z.strictObject({ signal: z.instanceof(AbortSignal).optional() }), (service, options) =>
    service.events(options as object),
  ),
  hold: define("answer", z.strictObject({ key, reason: z.string().nullable() }), (service, { key: session, reason }) =>
    service.hold(session, { reason }),
  ),
  release: define("answer", z.strictObject({ key }), (service, { key: session }) => service.release(session)),
  rename: define("answer", z.strictObject({ key, name: z.string() }), (service, { key: session, name }) =>
    service.rename(session, name),
  ),
  signal: define(
    "answer",
    z.strictObject({
      key,
      signal: z.string().regex(/^SIG[A-Z0-9]+$/, "expected a name such as SIGINT"),
      to: z.enum(["foreground", "program", "tree"]).optional(),
    }),
    (service, { key: session, signal, to }) => service.signal(session, { signal: signal as NodeJS.Signals, to }),
  ),
  restart: define("answer", z.strictObject({ key, env: env.optional() }), (service, { key: session, ...options }) =>
    service.restart(session, options),
  ),
  resize: define("answer", z.strictObject({ key, size, caller: caller.optional() }), (service, request) =>
    service.resize(request.key, request.size, request.caller === undefined ? {} : { caller: request.caller }),
  ),
  lendSize: define(
    "answer",
    z.strictObject({ key, viewer: z.string().min(1).max(256), size: size.nullable() }),
    (service, { key: session, ...loan }) => service.lendSize(session, loan),
  ),
  record: define("answer", recording, (service, { key: session, ...options }) =>
    service.record(session, options as Parameters<SessionService["record"]>[1]),
  ),
  stopRecording: define(
    "answer",
    z.strictObject({ key, file: z.string().optional() }),
    (service, { key: session, file }) => service.stopRecording(session, file === undefined ? {} : { file }),
  ),
  close: define("answer", closing, (service, { key: session, ...options }) => service.close(session, options)),
};

function define<Schema extends z.ZodObject>(
  kind: Request["kind"],
  schema: Schema,
  serve: (service: SessionService, request: z.output<Schema>) => unknown,
): Request {
  return {
    kind,
    parse(params) {
      const parsed = schema.safeParse(params);
      if (parsed.success) return parsed.data as Record<string, unknown>;
      const [issue] = parsed.error.issues;
      const field = issue?.path.join(".") || "params";
      throw new LimpetError("BAD_OPTION", `${field} does not fit: ${issue?.message}. Send it as the protocol says.`);
    },
    serve: serve as Request["serve"],
  };
}
