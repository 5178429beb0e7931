/** What a person does to a session: types, resizes, takes over, hands back, signals, ends. */
import { constants } from "node:os";
import { z } from "zod";
import { MAX_COLS, MAX_INPUT_BYTES, MAX_NAME_LENGTH, MAX_ROWS, TYPING_HOLD_MS } from "../../../base/limits.ts";
import { parseStroke, type Stroke } from "../../../keys/parse-stroke.ts";
import { keyOf as keyOfSession } from "../../../service/listing/session-key.ts";
import type { Route, WebAnswer, WebRequest } from "../../server/route.ts";
import type { ApiParts } from "../api-parts.ts";
import type {
  CloseMessage,
  HoldMessage,
  InputMessage,
  ReleaseMessage,
  RenameMessage,
  ResizeMessage,
  SignalMessage,
} from "../messages.ts";
import { bodyOf, keyOf } from "../read-request.ts";

/** More keys at once are a text. */
const MAX_KEYS = 256;
const MAX_REASON_CHARS = 500;

const input: z.ZodType<InputMessage> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["text", "paste"]), text: z.string().max(MAX_INPUT_BYTES) }),
  z.strictObject({ kind: z.literal("keys"), keys: z.array(z.string().min(1).max(64)).min(1).max(MAX_KEYS) }),
]);
const size = z.strictObject({ cols: z.int().min(1).max(MAX_COLS), rows: z.int().min(1).max(MAX_ROWS) });
const resize: z.ZodType<ResizeMessage> = z.strictObject({ viewer: z.string().min(1).max(100), size: size.nullable() });
const words = z.string().max(MAX_REASON_CHARS).nullable();
const hold: z.ZodType<HoldMessage> = z.strictObject({ reason: words });
const release: z.ZodType<ReleaseMessage> = z.strictObject({ note: words });
const signalName = z
  .string()
  .refine((name) => Object.hasOwn(constants.signals, name), "expected a name such as SIGINT");
const signal: z.ZodType<SignalMessage> = z.strictObject({
  signal: signalName,
  to: z.enum(["foreground", "program", "tree"]).default("foreground"),
});
const close: z.ZodType<CloseMessage> = z.strictObject({
  force: z.boolean().default(false),
  keepOutput: z.boolean().default(true),
});
const rename: z.ZodType<RenameMessage> = z.strictObject({ name: z.string().min(1).max(MAX_NAME_LENGTH) });
const nothing = z.strictObject({});

export function controlRoutes({ sessions, watch, viewers }: ApiParts): readonly Route[] {
  return [
    control("input", input, async (key, message, { visitor: { caller } }) => {
      await sessions.write(key, strokesOf(message), { caller, by: "person", holdMs: TYPING_HOLD_MS });
    }),
    control("resize", resize, async (key, { viewer, size: given }) => await viewers.resize(viewer, key, given)),
    control("hold", hold, async (key, { reason }) => await sessions.hold(key, { reason })),
    control("release", release, async (key, { note }) => ({ wasHeld: await sessions.release(key, { note }) })),
    control("signal", signal, async (key, { signal: name, to }) => {
      await sessions.signal(key, { signal: name as NodeJS.Signals, to });
    }),
    control("freeze", nothing, async (key) => ({ by: await sessions.freeze(key) })),
    control("thaw", nothing, async (key) => ({ wasFrozen: await sessions.thaw(key) })),
    control("rename", rename, async (key, { name }) => await sessions.rename(key, name)),
    control("restart", nothing, async (key) => {
      const restarted = await sessions.restart(key);
      watch.pokeEnded();
      return { key: String(keyOfSession(restarted)) };
    }),
    control("close", close, async (key, { force = false, keepOutput = true }, { visitor: { caller } }) => {
      const { report, sandboxNotes } = await sessions.close(key, { force, keepOutput, caller, tool: "web" });
      watch.pokeEnded();
      return { report, sandboxNotes };
    }),
  ];

  function control<Message>(
    name: string,
    schema: z.ZodType<Message>,
    act: (key: string, message: Message, request: WebRequest) => Promise<unknown>,
  ): Route {
    const answer = async (request: WebRequest): Promise<WebAnswer> => {
      const value = await act(keyOf(request), bodyOf(request, schema), request);
      watch.poke();
      return { kind: "json", value: value ?? {} };
    };
    return { method: "POST", path: `/api/sessions/:id/${name}`, right: "control", isForPeople: true, answer };
  }
}

function strokesOf(message: InputMessage): readonly Stroke[] {
  if (message.kind === "keys") return message.keys.map(parseStroke);
  return [message];
}
