/**
 * Pure: recognises programs that pass keys on to a program elsewhere. Such a client always waits for the terminal,
 * whatever the program at the far end does. So what the kernel says about the client says nothing about that program.
 */
import type { FileKind } from "../file-kind.ts";

/** By the kernel's name for the process. Some of them do not wait for the terminal and the far end in one call. */
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
