/** Identifies the process at the other end of a Unix socket. The kernel records it when the connection is made. */
import { libc } from "./libc.ts";

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
/** pid, uid and gid, 4 bytes each. */
const CREDENTIALS_BYTES = 12;
const UID_AT = 4;

export interface Peer {
  /** 0 if the process is in another namespace. The process may have ended, and its pid may be reused. */
  readonly pid: number;
  readonly user: number;
}

/** Undefined if the kernel does not report it. */
export function peerOf(fd: number): Peer | undefined {
  const credentials = Buffer.alloc(CREDENTIALS_BYTES);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(CREDENTIALS_BYTES);
  const isKnown = libc.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, length) === 0;
  return isKnown ? { pid: credentials.readUInt32LE(0), user: credentials.readUInt32LE(UID_AT) } : undefined;
}
