/**
 * Subscriptions in the protocol of 2026: one long request names everything that the client wants to hear about. The SDK
 * answers it and filters notifications, but does not report the resources. This class reads them from the request.
 */
import type { JsonRpcId, Message } from "./read-message.ts";
import type { SessionResources } from "./resources/session-resources.ts";

export class ListenRequests {
  readonly #resources: SessionResources;
  readonly #uris = new Map<JsonRpcId, readonly string[]>();

  constructor(resources: SessionResources) {
    this.#resources = resources;
  }

  note({ id, method, params }: Message): void {
    if (method === "subscriptions/listen" && id !== undefined) this.#open(id, subscribedUris(params));
    if (method === "notifications/cancelled") this.#cancel(params?.["requestId"] as JsonRpcId);
  }

  #open(id: JsonRpcId, uris: readonly string[]): void {
    this.#uris.set(id, uris);
    // An unknown resource never changes.
    for (const uri of uris) void this.#resources.subscribe(uri).catch(() => undefined);
  }

  #cancel(id: JsonRpcId): void {
    const uris = this.#uris.get(id) ?? [];
    this.#uris.delete(id);
    const others = new Set([...this.#uris.values()].flat());
    for (const uri of uris) if (!others.has(uri)) this.#resources.unsubscribe(uri);
  }
}

function subscribedUris(params: Message["params"]): readonly string[] {
  const notifications = params?.["notifications"];
  if (typeof notifications !== "object" || notifications === null) return [];
  const uris = (notifications as { readonly resourceSubscriptions?: unknown }).resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
