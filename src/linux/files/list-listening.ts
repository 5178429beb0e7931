/** Lists the TCP ports that processes listen on, matched by the inode of the socket rather than by program output. */
import { readdirSync, readlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readKernelFile } from "../proc-file.ts";

/** A TCP port and the process that listens on it. */
export interface ListeningPort {
  readonly port: number;
  /** The address the program bound: "127.0.0.1", "0.0.0.0", "::" … */
  readonly address: string;
  readonly pid: number;
}

interface ListeningSocket {
  readonly inode: string;
  readonly port: number;
  readonly address: string;
}

const LISTEN = "0A";
/** An IPv4 address on an IPv6 socket: ::ffff:a.b.c.d. */
const V4_MAPPED = "00000000000000000000ffff";

/** The result is never older than the call. */
export async function listListening(pids: readonly number[]): Promise<ListeningPort[]> {
  const owners = pids.map((pid) => ({ pid, inodes: socketInodes(pid) })).filter(({ inodes }) => inodes.length > 0);
  // Most programs have no sockets.
  if (owners.length === 0) return [];
  const socketsOf = await nextTables();
  const ports = owners.flatMap(({ pid, inodes }) => {
    const sockets = socketsOf(pid);
    const found = inodes.map((inode) => sockets.get(inode));
    return found.filter((socket) => socket !== undefined).map(({ port, address }) => ({ port, address, pid }));
  });
  return distinct(ports);
}

type Sockets = ReadonlyMap<string, ListeningSocket>;

let pendingTables: Promise<(pid: number) => Sockets> | undefined;

/**
 * The kernel takes up to 10 ms per table, even for few sockets. So all callers of one event loop turn share the tables
 * that are read in the next turn.
 */
function nextTables(): Promise<(pid: number) => Sockets> {
  pendingTables ??= nextTurn().then(() => {
    pendingTables = undefined;
    return readTables();
  });
  return pendingTables;
}

/** Tables belong to a network namespace, and a program may run in a separate one. */
function readTables(): (pid: number) => Sockets {
  const tables = new Map<string, Sockets>();
  return (pid) => {
    const namespace = readLinkOrEmpty(`/proc/${pid}/ns/net`);
    const sockets = tables.get(namespace) ?? listeningSockets(pid);
    if (namespace !== "") tables.set(namespace, sockets);
    return sockets;
  };
}

function listeningSockets(pid: number): Sockets {
  const sockets = ["tcp", "tcp6"].flatMap((table) => parseTcpTable(readKernelFile(`/proc/${pid}/net/${table}`) ?? ""));
  return new Map(sockets.map((socket) => [socket.inode, socket]));
}

/** Workers of one server share its socket: only the first of them is listed. */
function distinct(ports: readonly ListeningPort[]): ListeningPort[] {
  const byAddress = new Map<string, ListeningPort>();
  for (const entry of ports) {
    const key = `${entry.address} ${entry.port}`;
    if (!byAddress.has(key)) byAddress.set(key, entry);
  }
  return [...byAddress.values()].sort((one, other) => one.port - other.port);
}

/** Columns: number, local address, remote address, state, queues, timers, retries, user, timeout, inode. */
export function parseTcpTable(table: string): ListeningSocket[] {
  return table.split("\n").flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const [address, port] = (columns[1] ?? "").split(":");
    const inode = columns[9];
    if (columns[3] !== LISTEN || !address || !port || inode === undefined) return [];
    return [{ inode, port: Number.parseInt(port, 16), address: parseAddress(address) }];
  });
}

/** Parses 32-bit words in the machine's byte order, which is little-endian on every supported platform. */
export function parseAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join(".");
  const joined = bytes.join("").toLowerCase();
  if (joined.startsWith(V4_MAPPED)) return parseAddress([...bytes.slice(12)].reverse().join(""));
  const groups = (joined.match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16));
  return groups.join(":").replace(/(^|:)0(:0)+(:|$)/, "::");
}

function socketInodes(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const target = readLinkOrEmpty(`/proc/${pid}/fd/${fd}`);
      return target.startsWith("socket:[") ? [target.slice(8, -1)] : [];
    });
  } catch {
    return [];
  }
}

function readLinkOrEmpty(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
