/** Addresses of what can be read of a session without a tool. */

/** What of a session: all that it printed, or what a person would see now. */
export type ResourceKind = "output" | "screen";

export interface ResourceAddress {
  readonly kind: ResourceKind;
  /** Its id or name. */
  readonly session: string;
}

const ADDRESS = /^limpet:\/\/sessions\/([^/?#]+)\/(output|screen)$/;

export function templateOf(kind: ResourceKind): string {
  return `limpet://sessions/{session}/${kind}`;
}

export function resourceUri(id: number, kind: ResourceKind): string {
  return `limpet://sessions/${id}/${kind}`;
}

/** Undefined where the address is not one of ours. */
export function parseUri(uri: string): ResourceAddress | undefined {
  const [, part, kind] = ADDRESS.exec(uri) ?? [];
  if (part === undefined) return undefined;
  try {
    return { session: decodeURIComponent(part), kind: kind === "screen" ? "screen" : "output" };
  } catch {
    return undefined;
  }
}
