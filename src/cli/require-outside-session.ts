/** Keeps a command from showing the session that it runs in, because it would show its own output forever. */
import { LimpetError } from "../base/limpet-error.ts";
import { connectHost } from "../host/client/connect-host.ts";
import type { HostClient } from "../host/client/host-client.ts";
import { readKernelFile } from "../linux/proc-file.ts";
import { readLineage } from "../linux/processes/read-lineage.ts";
import type { SessionKey } from "../service/listing/session-name.ts";
import { stateDirectory } from "./settings/settings.ts";

/**
 * Throws if this command's stdout is the terminal of session `id`. Sessions at a place are never around this command.
 */
export async function requireOutsideSession(host: HostClient, key: SessionKey): Promise<void> {
  if (!process.stdout.isTTY || host.isFar) return;
  const status = await host.hostStatus();
  if (status === undefined || sessionAround(status.pid) !== key) return;
  throw new LimpetError(
    "BAD_OPTION",
    `This command runs inside session ${key} and would show its own output forever. Run it in another terminal.`,
  );
}

/** Throws if this command runs inside a session: it is for people only, and an agent could have started it. */
export async function requirePerson(command: string): Promise<void> {
  const status = await connectHost({ stateDirectory: stateDirectory() }).hostStatus();
  const id = status && sessionAround(status.pid);
  if (id === undefined) return;
  throw new LimpetError(
    "BAD_OPTION",
    `${command} is for people, and this command runs inside session ${id}. Run it in your own terminal.`,
  );
}

/** Looks at parent processes: the environment may come from a session of another host. */
function sessionAround(hostPid: number): number | undefined {
  const program = readLineage(process.pid).find(({ parent }) => parent === hostPid);
  return program && sessionOf(program.pid);
}

/** The session of a program that a host started. */
function sessionOf(pid: number): number | undefined {
  const [, id] = /(?:^|\0)LIMPET_SESSION_ID=(\d+)\0/.exec(readKernelFile(`/proc/${pid}/environ`) ?? "") ?? [];
  return id === undefined ? undefined : Number(id);
}
