/** The session that a command itself runs in: to show it there would print what it shows, for ever. */
import { LimpetError } from "../base/limpet-error.ts";
import type { HostClient } from "../host/host-client.ts";
import { readKernelFile } from "../linux/proc-file.ts";
import { readProcess } from "../linux/processes.ts";

/** Throws where what is shown of session `id` would become its own output. */
export async function requireOutsideSession(host: HostClient, id: number): Promise<void> {
  if (!process.stdout.isTTY) return;
  const status = await host.hostStatus();
  if (status === undefined || sessionAround(status.pid) !== id) return;
  throw new LimpetError(
    "BAD_OPTION",
    `This command runs in session ${id} itself, which would show itself for ever. Use another terminal.`,
  );
}

/** By the processes above us, not by our environment: that may be of a session of another host, or of none. */
function sessionAround(hostPid: number): number | undefined {
  for (let pid = process.pid; pid > 1; ) {
    const parent = readProcess(pid)?.parent ?? 0;
    if (parent === hostPid) return sessionOf(pid);
    pid = parent;
  }
  return undefined;
}

/** Of a program that a host has started. */
function sessionOf(pid: number): number | undefined {
  const [, id] = /(?:^|\0)LIMPET_SESSION_ID=(\d+)\0/.exec(readKernelFile(`/proc/${pid}/environ`) ?? "") ?? [];
  return id === undefined ? undefined : Number(id);
}
