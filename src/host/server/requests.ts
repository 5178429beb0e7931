/**
 * The requests to the sessions of a host: for each method, the schema of its params and the call that serves it. A
 * request that does not match is refused with the name of the field.
 */
import { z } from "zod";
import { MAX_SECRET_BYTES } from "../../safety/secrets/secret-source.ts";
import type { SessionInput, WriteOptions } from "../../service/input/session-input.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { ReceiptOf } from "../../service/turn/receipt.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { packScreen } from "../pack-screen.ts";
import { APPROVAL_REQUESTS } from "./approval-requests.ts";
import { inHome } from "./at-home.ts";
import { defineRequest as define, type Request } from "./define-request.ts";
import { caller, cursor, delivered, env, key, requestId, size, stroke, turn, verdict } from "./turn-schema.ts";

/** A longer time would be a hold, which a person has to release. */
const MAX_HOLD_MS = 60_000;

/** A note is a few sentences. */
const MAX_NOTE_CHARS = 2_000;

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
  caller: caller.optional(),
  tool: z.string().max(64).optional(),
});

const farAct = z.strictObject({
  caller,
  place: z.string().min(1).max(256),
  event: z.enum(["start", "run", "typed", "close"]),
  session: cursor.nullable(),
  text: z.string(),
  command: z.string().nullable(),
  tool: z.string().max(64).optional(),
  verdict: verdict.optional(),
});

/** All methods of `SessionService`. A missing method does not compile. */
export const REQUESTS: Readonly<Record<Exclude<keyof SessionService, "approvals" | "silentPlaces">, Request>> = {
  ...APPROVAL_REQUESTS,
  turn: define("answer", turn, async (service, request) =>
    packScreen(await service.turn(request as unknown as TurnRequest)),
  ),
  noteFarAct: define("answer", farAct, (service, act) => service.noteFarAct(act)),
  acknowledge: define("notice", delivered, (service, answer) => service.acknowledge(answer as unknown as ReceiptOf)),
  giveBack: define("notice", z.strictObject({ caller, requestId }), (service, request) => service.giveBack(request)),
  write: define("answer", typed, (service, { key: session, input, ...options }) =>
    service.write(session, input as SessionInput, options as WriteOptions),
  ),
  passwordPrompt: define("answer", z.strictObject({ key }), (service, { key: session }) =>
    service.passwordPrompt(session),
  ),
  answerPrompt: define(
    "answer",
    z.strictObject({ key, token: z.string(), value: z.string().min(1).max(MAX_SECRET_BYTES) }),
    (service, { key: session, ...answer }) => service.answerPrompt(session, answer),
  ),
  output: define("stream", streaming, (service, { key: session, ...options }) =>
    service.output(session, options as object),
  ),
  transcript: define(
    "stream",
    streaming.extend({ isLive: z.boolean().optional(), after: z.int().min(0).optional() }),
    (service, { key: session, ...options }) => service.transcript(session, options as object),
  ),
  find: define("answer", z.strictObject({ key }), (service, { key: session }) => service.find(session)),
  running: define("answer", z.strictObject({}), (service) => service.running()),
  list: define(
    "reading",
    z.strictObject({ ended: z.boolean(), all: z.boolean().optional() }),
    (service, { ended, all = false }) => service.list({ ended, all }),
  ),
  processes: define("answer", z.strictObject({ key }), (service, { key: session }) => service.processes(session)),
  history: define("answer", z.strictObject({ key }), (service, { key: session }) => service.history(session)),
  events: define(
    "stream",
    z.strictObject({ signal: z.instanceof(AbortSignal).optional(), after: z.string().max(100).nullable().optional() }),
    (service, options) => service.events(options as object),
  ),
  hold: define("answer", z.strictObject({ key, reason: z.string().nullable() }), (service, { key: session, reason }) =>
    service.hold(session, { reason }),
  ),
  release: define(
    "answer",
    z.strictObject({ key, note: z.string().max(MAX_NOTE_CHARS).nullable().optional() }),
    (service, { key: session, note }) => service.release(session, { note }),
  ),
  freeze: define("answer", z.strictObject({ key }), (service, { key: session }) => service.freeze(session)),
  thaw: define("answer", z.strictObject({ key }), (service, { key: session }) => service.thaw(session)),
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
    service.record(session, { ...options, file: inHome(options.file) } as Parameters<SessionService["record"]>[1]),
  ),
  stopRecording: define(
    "answer",
    z.strictObject({ key, file: z.string().optional() }),
    (service, { key: session, file }) =>
      service.stopRecording(session, file === undefined ? {} : { file: inHome(file) }),
  ),
  close: define("answer", closing, (service, { key: session, ...options }) => service.close(session, options)),
};
