/**
 * Whether a client is of the user of this process. The modes of socket and directory keep other users out; this check
 * works even if somebody has changed the modes.
 */
import type { Socket } from "node:net";
import { type Peer, peerOf } from "../../linux/peer.ts";

/** False if the kernel does not report the user. */
export function isOwnUser(socket: Socket): boolean {
  const peer = peerOfSocket(socket);
  return peer !== undefined && peer.user === process.geteuid?.();
}

/** Undefined if the kernel does not report it, or the socket is closed. */
export function peerOfSocket(socket: Socket): Peer | undefined {
  const { fd } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {};
  return fd === undefined || fd < 0 ? undefined : peerOf(fd);
}
