/** Whether a host accepts a link. Pure. */
interface OpenFacts {
  /** The epoch of this host. */
  readonly epoch: number;
  /** The epoch that the door expects; undefined: any. */
  readonly asked: number | undefined;
  /** The host holds its lease. */
  readonly mayServe: boolean;
  readonly isFull: boolean;
  /** The door no longer waits for the answer. */
  readonly isLate: boolean;
}

/** `later epoch`: another process runs under this name and answers the door. `silent`: this host must not answer. */
export type OpenVerdict =
  | { readonly kind: "accept" }
  | { readonly kind: "refuse"; readonly why: string }
  | { readonly kind: "later epoch"; readonly epoch: number }
  | { readonly kind: "silent" };

export function judgeOpen({ epoch, asked, mayServe, isFull, isLate }: OpenFacts): OpenVerdict {
  if (asked !== undefined && asked > epoch) return { kind: "later epoch", epoch: asked };
  // Without a valid lease, the host does not know whether it was replaced.
  if (!mayServe) return { kind: "silent" };
  if (asked !== undefined && asked < epoch) return { kind: "refuse", why: `it runs in epoch ${epoch}` };
  if (isLate) return { kind: "refuse", why: "it was read after its deadline" };
  return isFull ? { kind: "refuse", why: "it has too many links" } : { kind: "accept" };
}
