/** On which TCP ports processes listen: matched by the socket's inode, whatever they print. */
import { readdirSync, readlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readKernelFile } from "./proc-file.ts";

/** A TCP port, and the process that listens on it. */
export interface ListeningPort {
  readonly port: number;
  /** As the program bound it: "127.0.0.1", "0.0.0.0", "::" … */
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

/** As it is after this call. */
export async function listListening(pids: readonly number[]): Promise<ListeningPort[]> {
  const owners = pids.map((pid) => ({ pid, inodes: socketInodes(pid) })).filter(({ inodes }) => inodes.length > 0);
  // Most programs have no socket at all.
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

let coming: Promise<(pid: number) => Sockets> | undefined;

/**
 * The kernel takes up to 10 ms for each table, however few sockets there are. So all who ask in one turn share what is read in
 * the next.
 */
function nextTables(): Promise<(pid: number) => Sockets> {
  coming ??= nextTurn().then(() => {
    coming = undefined;
    return readTables();
  });
  return coming;
}

/** The tables are those of a network namespace: a program may run in one of its own. */
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

/** A server's workers share its socket: the first of them stands for all. */
function distinct(ports: readonly ListeningPort[]): ListeningPort[] {
  const byPlace = new Map<string, ListeningPort>();
  for (const entry of ports) {
    const place = `${entry.address} ${entry.port}`;
    if (!byPlace.has(place)) byPlace.set(place, entry);
  }
  return [...byPlace.values()].sort((one, other) => one.port - other.port);
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

/** Words of 32 bits, each in the machine's byte order, which is little-endian wherever we run. */
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
