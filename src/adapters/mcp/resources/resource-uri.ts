/** URIs of the output and the screen of a session. */
import type { SessionKey } from "../../../service/listing/session-name.ts";

/** `output`: everything that the session printed. `screen`: what a person would see now. */
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

export function resourceUri(key: SessionKey, kind: ResourceKind): string {
  return `limpet://sessions/${encodeURIComponent(key)}/${kind}`;
}

/** Undefined if it is not a URI of limpet. */
export function parseUri(uri: string): ResourceAddress | undefined {
  const [, part, kind] = ADDRESS.exec(uri) ?? [];
  if (part === undefined) return undefined;
  try {
    return { session: decodeURIComponent(part), kind: kind === "screen" ? "screen" : "output" };
  } catch {
    return undefined;
  }
}
