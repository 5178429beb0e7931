/**
 * The reason of an abort by a lost connection. A turn with a `requestId` continues, because the client may repeat its
 * request.
 */
export const DETACHED: unique symbol = Symbol("detached");
