/** Where the value of a named secret comes from. */
import { LimpetError } from "../../base/limpet-error.ts";
import { wordOrQuote } from "../../text/clean/quote-line.ts";

/** A program that prints it, a file that contains it, or a variable of the host. */
export type SecretSource =
  | { readonly command: readonly [string, ...string[]] }
  | { readonly file: string }
  | { readonly env: string };

/** A longer value is a file, not something to type or to redact. */
export const MAX_SECRET_BYTES: number = 32 * 1024;

/** A name is shown to agents and is the name of a file. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/;

export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

export function requireSecretName(name: string): void {
  if (isSecretName(name)) return;
  const given = wordOrQuote(name, { maxChars: 80 });
  throw new LimpetError(
    "BAD_OPTION",
    `${given} is not the name of a secret. Use 1 to 64 letters, digits, "_" and "-", such as sudo or GITHUB_TOKEN.`,
  );
}

/** Pure: the value in what a source printed, without the line end after it. Never quotes it. */
export function secretIn(name: string, content: Uint8Array): string {
  if (content.length > MAX_SECRET_BYTES) {
    throw badSecret(name, `has more than ${MAX_SECRET_BYTES} bytes`, "Store the secret alone, not the file around it.");
  }
  const value = decode(name, content).replace(/\r?\n$/, "");
  if (value.includes("\0")) throw badSecret(name, "contains a NUL byte", "Store it as text.");
  if (value === "") throw badSecret(name, "is empty", `Set it with: limpet secret set ${name}`);
  return value;
}

function decode(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw badSecret(name, "is not UTF-8 text", "Store it as text, for example in base64.");
  }
}

function badSecret(name: string, what: string, remedy: string): LimpetError {
  return new LimpetError("BAD_SECRET", `The secret ${name} ${what}. ${remedy}`);
}
