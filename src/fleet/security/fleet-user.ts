/** A machine of a fleet, and its files in the directory of the operator. Pure. */
import type { UserKind } from "./permissions-of.ts";

export interface FleetUser {
  readonly kind: Exclude<UserKind, "operator">;
  readonly name: string;
}

export function credsFile({ kind, name }: FleetUser): string {
  return `${kind}s/${name}.creds`;
}

/** The public keys of all credentials that were signed under this name, one per line: with them, they are revoked. */
export function keysFile({ kind, name }: FleetUser): string {
  return `keys/${kind}s/${name}.pub`;
}
