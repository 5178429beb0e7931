/** Reads what a socket of a process is connected to, from the tables of its network namespace. */
import { readKernelFile } from "../proc-file.ts";

/** `network`: it is connected to another address. `local`: a Unix socket. `other`: anything else, or not connected. */
export type SocketState = "listening" | "network" | "local" | "other";

interface Table {
  readonly name: string;
  /** The state of the socket with this inode; undefined if the table does not have it. */
  readonly stateOf: (table: string, inode: string) => SocketState | undefined;
}

const ESTABLISHED = "01";
const LISTEN = "0A";
/** A Unix socket that accepts connections. */
const ACCEPTS = 0x1_0000;

const TABLES: readonly Table[] = [
  { name: "unix", stateOf: unixSocketState },
  { name: "tcp", stateOf: inetSocketState },
  { name: "tcp6", stateOf: inetSocketState },
  { name: "udp", stateOf: inetSocketState },
  { name: "udp6", stateOf: inetSocketState },
];

/** Takes a few milliseconds: the kernel writes whole tables. */
export function readSocketState(pid: number, inode: string): SocketState {
  for (const { name, stateOf } of TABLES) {
    const state = stateOf(readKernelFile(`/proc/${pid}/net/${name}`) ?? "", inode);
    if (state !== undefined) return state;
  }
  return "other";
}

/** Columns: number, local address, remote address, state, queues, timers, retries, user, timeout, inode. */
export function inetSocketState(table: string, inode: string): SocketState | undefined {
  for (const line of table.split("\n")) {
    const columns = line.trim().split(/\s+/, 10);
    if (columns[9] !== inode) continue;
    if (columns[3] === LISTEN) return "listening";
    return columns[3] === ESTABLISHED ? "network" : "other";
  }
  return undefined;
}

/** Columns: number, reference count, protocol, flags, type, state, inode, path. */
export function unixSocketState(table: string, inode: string): SocketState | undefined {
  for (const line of table.split("\n")) {
    const columns = line.split(/\s+/, 7);
    if (columns[6] !== inode) continue;
    return (Number.parseInt(columns[3] ?? "0", 16) & ACCEPTS) === 0 ? "local" : "listening";
  }
  return undefined;
}
