/**
 * Types secrets at password prompts. An agent names the secret, a person gives its value. limpet types either only at
 * the prompt that was reported to them, and checks the prompt again right before it types.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Session } from "../../session/session.ts";
import type { InputGate } from "../input/input-gate.ts";
import type { WriteOptions } from "../input/session-input.ts";
import type { PromptHelp } from "./prompt.ts";
import { type PromptToken, promptToken } from "./prompt-token.ts";
import type { Secrets } from "./secrets.ts";

interface AnswerParts {
  readonly gate: InputGate;
  /** Undefined: this service has no secrets. */
  readonly secrets: Secrets | undefined;
}

const ENTER = "\r";
/** The kernel would take these as keys: the end of a line, Ctrl+C and the like. */
const CONTROL = /\p{Cc}/u;

export class PromptAnswers {
  readonly #parts: AnswerParts;
  /** The prompt of each session that was last reported to each caller. */
  readonly #reported = new WeakMap<Session, BoundedMap<string, PromptToken>>();

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  /** How a prompt can be answered; null if it cannot. */
  async help(): Promise<PromptHelp | null> {
    const { secrets } = this.#parts;
    return secrets ? { secrets: await secrets.names(), byPerson: secrets.hasPeople } : null;
  }

  /** Call when an answer reports that the session waits for a password. */
  noteReported(session: Session, caller: string): void {
    const token = promptToken(session);
    const reported = this.#reported.get(session) ?? new BoundedMap<string, PromptToken>(MAX_CALLERS);
    this.#reported.set(session, reported);
    if (token !== undefined) reported.set(caller, token);
  }

  /** Types a secret by its name, at the prompt that was last reported to the caller. */
  async typeSecret(
    session: Session,
    name: string,
    options: WriteOptions & { readonly caller: string },
  ): Promise<number> {
    const { secrets } = this.#parts;
    const token = this.#reported.get(session)?.get(options.caller) ?? promptToken(session);
    requirePrompt(session, token);
    this.#parts.gate.admit(session, 0, options);
    if (!secrets) throw noSecrets(name);
    // May take a while: the person may have to unlock a keyring.
    const value = await secrets.take(name);
    return await this.#type(session, { value, token: token as PromptToken }, options);
  }

  /** Types what a person has entered, at the prompt that they saw. */
  async type(session: Session, answer: { value: string; token: PromptToken }, options: WriteOptions): Promise<number> {
    requirePrompt(session, answer.token);
    this.#parts.secrets?.learn(answer.value);
    return await this.#type(session, answer, options);
  }

  async #type(session: Session, { value, token }: { value: string; token: PromptToken }, options: WriteOptions) {
    if (CONTROL.test(value)) {
      throw new LimpetError(
        "BAD_SECRET",
        "The secret has several lines or control characters, so it cannot be typed. Give it to a program as a variable instead: secret_env.",
      );
    }
    const bytes = Buffer.from(value + ENTER);
    const encode = () => {
      requirePrompt(session, token);
      return bytes;
    };
    return await this.#parts.gate.typePart(session, { encode }, options);
  }
}

function requirePrompt(session: Session, token: PromptToken | undefined): void {
  const now = promptToken(session);
  if (now !== undefined && now === token) return;
  const what = now === undefined ? "is not waiting for a password" : "waits at another prompt than the one reported";
  throw new LimpetError(
    "PROMPT_CHANGED",
    `Session ${session.id} ${what}, so nothing was typed. Read its output, then decide again.`,
  );
}

function noSecrets(name: string): LimpetError {
  return new LimpetError(
    "SECRET_NOT_FOUND",
    `Unknown secret ${name}: sessions in this process have no secrets. Use a host, or type the value yourself.`,
  );
}
