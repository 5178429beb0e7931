/** The NATS tokens of a fleet's operator and its accounts, signed by the operator. */
import type { FleetKey } from "./fleet-key.ts";
import { signClaims } from "./sign-claims.ts";

const UNLIMITED = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const STORES = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

export interface AccountRequest {
  readonly name: string;
  readonly publicKey: string;
  /** Whether the account has JetStream. NATS does not allow it for the system account. */
  readonly stores: boolean;
  /** Revoked users by public key. NATS refuses credentials that were signed up to this time, in seconds since 1970. */
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
