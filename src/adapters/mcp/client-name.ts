/** The name that a client gives itself, as callers and owners are shown. The first one counts. */
import { clientNameOf } from "./client-habits.ts";
import type { Message } from "./read-message.ts";

/** Names are shown in lists. */
const MAX_CHARS = 64;

export class ClientName {
  #name: string | undefined;

  /** Undefined until the client has said it. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Call this with every message of the client. */
  note(message: Message): void {
    this.#name ??= visible(clientNameOf(message) ?? "") || undefined;
  }
}

/** Pure: one short line of visible text. */
function visible(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, MAX_CHARS);
}
