/**
 * Asks a person for the password that a program waits for: a client that can show links gets one to a page with a
 * single box. What is typed there goes from the browser to the terminal; neither the client nor the model sees it.
 *
 * The person is asked once for each prompt, and not again for a session after declining. Before the protocol of 2026,
 * the question is sent during the call. In that of 2026, the call is answered with the question, and its output is
 * unread again; the client sends the call again with the answer, and gets what the session printed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inputRequired, inputResponse, type Server } from "@modelcontextprotocol/server";
import { BoundedMap } from "../../../base/bounded-map.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionKey } from "../../../service/listing/session-name.ts";
import type { PasswordPrompt } from "../../../service/secrets/prompt.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import { type McpRequest, questionsOf } from "./questions-of.ts";

/** The name of the question, and the beginning of the state, in the protocol of 2026. */
const QUESTION = "password";
/** Prompts of one client: far more than there are at once. */
const MAX_ASKED = 256;
const LOOK_EVERY_MS = 250;

interface PasswordLinksOptions {
  readonly sessions: SessionService;
  /** Undefined: there is no link now. */
  readonly link: (prompt: PasswordPrompt) => Promise<string | undefined>;
}

export interface PasswordCall {
  readonly server: Server;
  readonly request: McpRequest;
  /** By the clock of this process: then the call has to be answered. */
  readonly endMs: number;
}

type Answer = "accepted" | "declined" | "dismissed" | "silent";

/** The outcome of the question. `question`: the call has to be answered with this, for the client to ask. */
export type PasswordOutcome =
  | { readonly kind: "typed" | "declined" | "dismissed" | "waiting"; readonly key: SessionKey }
  | { readonly kind: "question"; readonly result: ReturnType<typeof inputRequired> };

interface Asked {
  readonly token: string;
  readonly answer?: Answer;
  /** The id of the question, in protocols before 2026. */
  readonly elicitationId?: string;
}

export class PasswordLinks {
  readonly #options: PasswordLinksOptions;
  readonly #asked = new BoundedMap<SessionKey, Asked>(MAX_ASKED);

  constructor(options: PasswordLinksOptions) {
    this.#options = options;
  }

  /** Call this when a session is reported to wait for a password. Undefined: nobody is asked. */
  async ask(key: SessionKey, call: PasswordCall): Promise<PasswordOutcome | undefined> {
    const prompt = await this.#promptOf(key);
    if (!prompt) return undefined;
    const before = this.#asked.get(key);
    if (before?.token === prompt.token && before.answer === "accepted") return await this.#untilTyped(key, call);
    const { hasLinks, isModern } = questionsOf(call.server, call.request);
    if (!hasLinks || before?.answer === "declined" || before?.token === prompt.token) return undefined;
    const url = await this.#options.link(prompt).catch(() => undefined);
    if (url === undefined) return undefined;
    const question = { message: describeQuestion(prompt), url };
    const elicitationId = crypto.randomUUID();
    this.#asked.set(key, { token: prompt.token, ...(isModern ? {} : { elicitationId }) });
    if (isModern) return { kind: "question", result: questionResult(key, question) };
    return await this.#take(key, await send({ ...question, elicitationId }, call), call);
  }

  /** The answer that comes with a call, in the protocol of 2026. Undefined if there is none. */
  async brought(call: PasswordCall): Promise<PasswordOutcome | undefined> {
    const key = readState(call.request.requestState<string>());
    const view = inputResponse(call.request.inputResponses, QUESTION);
    if (key === undefined) return undefined;
    return await this.#take(key, view.kind === "elicit" ? view.action : undefined, call);
  }

  async #take(key: SessionKey, action: string | undefined, call: PasswordCall): Promise<PasswordOutcome> {
    const answer = answerOf(action);
    this.#asked.set(key, { token: "", ...this.#asked.get(key), answer });
    if (answer === "accepted") return await this.#untilTyped(key, call);
    return { kind: answer === "silent" ? "waiting" : answer, key };
  }

  /** The client only says that the person opens the link. */
  async #untilTyped(key: SessionKey, { server, request, endMs }: PasswordCall): Promise<PasswordOutcome> {
    const { token, elicitationId } = this.#asked.get(key) ?? {};
    while ((await this.#promptOf(key))?.token === token) {
      if (performance.now() >= endMs) return { kind: "waiting", key };
      await sleep(LOOK_EVERY_MS, undefined, { signal: request.signal });
    }
    if (elicitationId !== undefined) {
      const notify = server.createElicitationCompletionNotifier(elicitationId, { relatedRequestId: request.id });
      // The client may have gone.
      void notify().catch(() => undefined);
    }
    return { kind: "typed", key };
  }

  async #promptOf(key: SessionKey): Promise<PasswordPrompt | null> {
    return await this.#options.sessions.passwordPrompt(key).catch(() => null);
  }
}

/** A client without a person at hand declines or dismisses by itself. */
function answerOf(action: string | undefined): Answer {
  if (action === undefined) return "silent";
  return action === "accept" ? "accepted" : action === "decline" ? "declined" : "dismissed";
}

interface Question {
  readonly message: string;
  readonly url: string;
}

interface Sent extends Question {
  readonly elicitationId: string;
}

/** Undefined if the client does not answer in time. */
async function send(question: Sent, { request, endMs }: PasswordCall): Promise<string | undefined> {
  const timeout = Math.max(1, Math.ceil(endMs - performance.now()));
  try {
    const params = { ...question, mode: "url" as const };
    return (await request.send({ method: "elicitation/create", params }, { signal: request.signal, timeout })).action;
  } catch {
    request.signal.throwIfAborted();
    return undefined;
  }
}

function questionResult(key: SessionKey, question: Question): ReturnType<typeof inputRequired> {
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicitUrl(question) },
    requestState: `${QUESTION} ${JSON.stringify(key)}`,
  });
}

/** Pure. What a client sends may be anything. */
export function readState(state: string | undefined): SessionKey | undefined {
  if (typeof state !== "string" || !state.startsWith(`${QUESTION} `)) return undefined;
  try {
    const key: unknown = JSON.parse(state.slice(QUESTION.length));
    return typeof key === "string" || Number.isSafeInteger(key) ? (key as SessionKey) : undefined;
  } catch {
    return undefined;
  }
}

function describeQuestion(prompt: PasswordPrompt): string {
  const session = prompt.name === null ? `${keyOf(prompt)}` : `${keyOf(prompt)} (${visibleLine(prompt.name)})`;
  const program = prompt.program === null ? "The program" : visibleLine(prompt.program);
  return (
    `${program} in session ${session} waits for a password. Open the link to type it: it goes to this prompt only, ` +
    "and the agent does not see it. The link works once, for ten minutes."
  );
}
