/** A program that waits for a password, and how it can be answered. */
import type { SessionName } from "../listing/session-name.ts";

/** A program that waits for a password. */
export interface PasswordPrompt extends SessionName {
  /** Identifies the prompt. Opaque. */
  readonly token: string;
  /** The name of the program that asks, such as sudo. Null: the program of the session. */
  readonly program: string | null;
}

/** What a person answers at a password prompt. */
export interface PromptAnswer {
  /** Of the prompt that the person saw. */
  readonly token: string;
  /** Without a line end. It is redacted from now on. */
  readonly value: string;
}

/** How a password can be typed without being part of a request. */
export interface PromptHelp {
  /** The names of the secrets that the person has. */
  readonly secrets: readonly string[];
  /** A person can type it, with `limpet answer`. */
  readonly byPerson: boolean;
}
