/** The NATS user of one machine in a fleet, and its files in the operator's directory. Pure. */
import type { UserKind } from "./permissions-of.ts";

export interface FleetUser {
  readonly kind: Exclude<UserKind, "operator">;
  readonly name: string;
}

export function credsFile({ kind, name }: FleetUser): string {
  return `${kind}s/${name}.creds`;
}

/**
 * The file with the public keys of all credentials that were signed for this name, one per line. Revoking needs them.
 */
export function keysFile({ kind, name }: FleetUser): string {
  return `keys/${kind}s/${name}.pub`;
}
