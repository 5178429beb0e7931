import { readFileSync } from "node:fs";

const TOKEN = /BEGIN NATS USER JWT-+\s+[\w-]+\.([\w-]+)\./;

/**
 * The name of the door in a file of credentials that `limpet fleet init` has written. A door may use only subjects with
 * its own name. Undefined for other credentials, and for a file that cannot be read.
 */
export function doorIn(creds: string | undefined): string | undefined {
  if (creds === undefined) return undefined;
  try {
    const [, claims = ""] = TOKEN.exec(readFileSync(creds, "utf8")) ?? [];
    const { name } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly name?: unknown };
    return /^(?:door|operator) (.+)$/.exec(String(name))?.[1];
  } catch {
    return undefined;
  }
}
