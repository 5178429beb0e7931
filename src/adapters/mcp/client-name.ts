/**
 * The name that a client gives itself: in `initialize`, or in the protocol of 2026 with every request. The first one
 * counts.
 */
import type { Message } from "./read-message.ts";

const INFO_FIELD = "io.modelcontextprotocol/clientInfo";
/** Names are shown in lists. */
const MAX_CHARS = 64;

export class ClientName {
  #name: string | undefined;

  /** Undefined until the client has said it. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Call this with every message of the client. */
  note({ method, params }: Message): void {
    this.#name ??= nameIn(method === "initialize" ? params?.["clientInfo"] : fieldOf(params?.["_meta"], INFO_FIELD));
  }
}

/** Pure: one line of visible text; undefined if there is none. */
function nameIn(info: unknown): string | undefined {
  const name = fieldOf(info, "name");
  if (typeof name !== "string") return undefined;
  return (
    name
      .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
      .trim()
      .slice(0, MAX_CHARS) || undefined
  );
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
