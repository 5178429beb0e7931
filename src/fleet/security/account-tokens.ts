/** What the operator of a fleet says of itself and of its accounts. */
import type { FleetKey } from "./fleet-key.ts";
import { signClaims } from "./sign-claims.ts";

const UNLIMITED = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const STORES = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

export interface AccountRequest {
  readonly name: string;
  readonly publicKey: string;
  /** Whether it has JetStream, which NATS refuses to the system account. */
  readonly stores: boolean;
  /** Users that NATS refuses, by their public keys: what was signed up to this time, in seconds since 1970. */
  readonly revocations?: Readonly<Record<string, number>> | undefined;
}

export function accountToken(operator: FleetKey, { name, publicKey, stores, revocations }: AccountRequest): string {
  const limits = stores ? { ...UNLIMITED, ...STORES } : UNLIMITED;
  const revoked = revocations ? { revocations } : {};
  return signClaims({ name, subject: publicKey, issuer: operator, nats: { type: "account", limits, ...revoked } });
}

export function operatorToken(operator: FleetKey, systemAccount: string): string {
  return signClaims({
    name: "limpet fleet",
    subject: operator.publicKey,
    issuer: operator,
    nats: { type: "operator", system_account: systemAccount },
  });
}
