import type { FleetKey } from "./fleet-key.ts";
import { permissionsOf, type UserKind } from "./permissions-of.ts";
import { signClaims } from "./sign-claims.ts";

export interface UserRequest {
  readonly kind: UserKind;
  readonly name: string;
  readonly publicKey: string;
  /** In milliseconds since 1970. Default: never. */
  readonly expiresMs?: number | undefined;
}

/** How long a user may reply to a request. */
const ANSWER_MS = 60_000;

/** The NATS token of one user, signed by its account. */
export function userToken(account: FleetKey, { kind, name, publicKey, expiresMs }: UserRequest): string {
  const { publish, subscribe, answers } = permissionsOf(kind, name);
  return signClaims({
    name: `${kind} ${name}`,
    subject: publicKey,
    issuer: account,
    expiresMs,
    nats: {
      type: "user",
      pub: { allow: publish },
      sub: { allow: subscribe },
      // In nanoseconds.
      ...(answers > 0 ? { resp: { max: answers, ttl: ANSWER_MS * 1_000_000 } } : {}),
      subs: -1,
      data: -1,
      payload: -1,
    },
  });
}
