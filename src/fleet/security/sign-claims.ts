/** Signs the JSON web tokens that tell NATS what each user may do. */
import { createHash } from "node:crypto";
import type { FleetKey } from "./fleet-key.ts";

export interface Claims {
  readonly name: string;
  /** The public key that the claims are about. */
  readonly subject: string;
  readonly issuer: FleetKey;
  /** The part that NATS reads. `type` says what the claims are about. */
  readonly nats: Readonly<Record<string, unknown>> & { readonly type: "operator" | "account" | "user" };
  /** Default: now. */
  readonly issuedMs?: number;
  /** Default: never. */
  readonly expiresMs?: number | undefined;
}

export function signClaims({ name, subject, issuer, nats, issuedMs = Date.now(), expiresMs }: Claims): string {
  const claims = {
    iat: Math.floor(issuedMs / 1000),
    iss: issuer.publicKey,
    name,
    sub: subject,
    ...(expiresMs === undefined ? {} : { exp: Math.ceil(expiresMs / 1000) }),
    nats: { ...nats, version: 2 },
  };
  // The id of a token is a digest of its content.
  const jti = createHash("sha256").update(JSON.stringify(claims)).digest("base64url");
  const signed = [
    { typ: "JWT", alg: "ed25519-nkey" },
    { jti, ...claims },
  ]
    .map(encode)
    .join(".");
  return `${signed}.${Buffer.from(issuer.sign(signed)).toString("base64url")}`;
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
