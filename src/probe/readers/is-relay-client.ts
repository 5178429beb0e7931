/**
 * Recognises programs that pass keys on to a program elsewhere. Such a client always waits for the terminal, whatever
 * the remote program does. So the state of the client says nothing about that program. Pure.
 */
import type { FileKind } from "../file-kind.ts";

/** The kernel's names of such processes. Some of them do not wait for the terminal and the remote end in one call. */
const CLIENTS: ReadonlySet<string> = new Set([
  "ssh",
  "slogin",
  "mosh-client",
  "et",
  "telnet",
  "rlogin",
  "docker",
  "podman",
  "nerdctl",
  "kubectl",
  "oc",
  "crictl",
  "lxc",
  "incus",
  "machinectl",
  "virsh",
  "tmux: client",
  "tmux: server",
  "screen",
  "dtach",
  "abduco",
  "picocom",
  "minicom",
  "cu",
  "socat",
  "session-manager",
]);

/** `others`: what the process waits for besides the terminal. */
export function isRelayClient(name: string, others: readonly FileKind[], threads: number): boolean {
  if (CLIENTS.has(name)) return true;
  // A program that waits for its terminal and for one connection, and does nothing else, passes on what it reads.
  const busy = others.filter((kind) => kind !== "wake-up");
  return threads === 1 && busy.length === 1 && busy[0] === "network";
}
