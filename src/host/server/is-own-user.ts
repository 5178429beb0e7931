/**
 * Whether a client is of the user of this process. The modes of socket and directory keep other users out; this check
 * works even if somebody has changed the modes.
 */
import type { Socket } from "node:net";
import { peerUser } from "../../linux/peer-user.ts";

/** False if the kernel does not report the user. */
export function isOwnUser(socket: Socket): boolean {
  const { fd } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {};
  const user = fd === undefined || fd < 0 ? undefined : peerUser(fd);
  return user !== undefined && user === process.geteuid?.();
}
