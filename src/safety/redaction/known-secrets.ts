/**
 * The secrets that were used or given to a program since this process started: what must not leave it in clear.
 *
 * Until the first one is known, nothing is scanned.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Redaction, Redactor } from "../../journal/redaction/redaction.ts";
import { Automaton } from "./automaton.ts";
import { redactText } from "./redact-text.ts";
import { MIN_SECRET_BYTES, secretForms } from "./secret-forms.ts";
import { StreamRedactor } from "./stream-redactor.ts";
import type { TextRedaction } from "./text-redaction.ts";

/** Each may have a dozen forms. The oldest is forgotten. */
const MOST_SECRETS = 1_000;

export class KnownSecrets implements Redaction, TextRedaction {
  readonly #forms = new Map<string, readonly Buffer[]>();
  #version = 0;
  #automaton: Automaton | undefined;

  get version(): number {
    return this.#version;
  }

  get longestBytes(): number {
    return Math.max(0, ...[...this.#forms.values()].flat().map(({ length }) => length));
  }

  /** From now on, the value is redacted. Throws `BAD_SECRET` if it is too short for that. */
  add(value: string): void {
    if (this.#forms.has(value)) return;
    requireLong(value);
    this.#forms.set(value, secretForms(value));
    const [oldest] = this.#forms.keys();
    if (this.#forms.size > MOST_SECRETS && oldest !== undefined) this.#forms.delete(oldest);
    this.#automaton = undefined;
    this.#version += 1;
  }

  redactor(): Redactor {
    return new StreamRedactor(this.#automatonNow());
  }

  redact(text: string): string {
    return this.#version === 0 || text.length < 2 ? text : redactText(this.#automatonNow(), text);
  }

  masksOf(bytes: Uint8Array): Uint8Array {
    const masks = new Uint8Array(bytes.length);
    if (this.#version > 0) this.redactor().push(bytes, 0, (from, to) => masks.fill(1, from, to));
    return masks;
  }

  #automatonNow(): Automaton {
    this.#automaton ??= new Automaton([...this.#forms.values()].flat());
    return this.#automaton;
  }
}

/** A mask in place of every "abc" would make output unreadable, and would not hide the value. */
export function requireLong(value: string): void {
  if (Buffer.byteLength(value) >= MIN_SECRET_BYTES) return;
  throw new LimpetError(
    "BAD_SECRET",
    `The secret has fewer than ${MIN_SECRET_BYTES} bytes, so it cannot be redacted. Use a longer one, or type it yourself with limpet attach.`,
  );
}
