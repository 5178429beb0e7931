/** Classifies a file that a program waits for. */
import { readdirSync } from "node:fs";
import { BoundedMap } from "../base/bounded-map.ts";
import { openFile } from "../linux/files/open-file.ts";
import { readSocketState } from "../linux/files/socket-state.ts";

/**
 * `wake-up`: the program's own signals, timers and threads. `listening`: a socket of a server. `network`: a connection
 * to another address. `other`: a pipe, a Unix socket, files that are watched, another terminal.
 */
export type FileKind = "wake-up" | "listening" | "network" | "other";

/** A connection keeps its kind, and so does a pipe while the program that waits for it runs. */
const known = new BoundedMap<string, FileKind>(1_024);

/** `link`: what the file is, as in /proc/PID/fd. */
export function readFileKind(pid: number, link: string): FileKind {
  const key = `${pid} ${link}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const kind = classify(pid, link);
  if (kind !== undefined) known.set(key, kind);
  return kind ?? "other";
}

/** Undefined for a file whose kind may change. */
function classify(pid: number, link: string): FileKind | undefined {
  if (link.startsWith("socket:[")) return socketKind(pid, link.slice("socket:[".length, -1));
  if (link.startsWith("pipe:[")) return hasBothEnds(pid, link) ? "wake-up" : "other";
  return link.startsWith("anon_inode:") && !link.includes("notify") ? "wake-up" : "other";
}

function socketKind(pid: number, inode: string): FileKind | undefined {
  const state = readSocketState(pid, inode);
  if (state === "other") return undefined;
  if (state !== "local") return state;
  return isPairWithItself(pid, Number(inode)) ? "wake-up" : "other";
}

/** A pipe whose both ends the process has. Signal handlers and threads write into it to wake the program. */
function hasBothEnds(pid: number, link: string): boolean {
  return openLinks(pid).filter((each) => each === link).length > 1;
}

/**
 * A pair of sockets that the process has with itself. The kernel gives both ends consecutive numbers, but does not show
 * who has the other end.
 */
function isPairWithItself(pid: number, inode: number): boolean {
  const links = openLinks(pid);
  return links.includes(`socket:[${inode - 1}]`) || links.includes(`socket:[${inode + 1}]`);
}

function openLinks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => openFile(`/proc/${pid}/fd/${fd}`) ?? "");
  } catch {
    return [];
  }
}
