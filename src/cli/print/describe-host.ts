/** A host in words, for `limpet host status`. */
import type { HostStatus } from "../../host/protocol.ts";

export function describeHost(found: HostStatus): string {
  const { pid, version, stateDirectory: directory, sessions, clients, startedAt, audit } = found;
  return [
    `Host ${pid} (limpet ${version}) in ${directory}`,
    `Running since ${new Date(startedAt).toISOString()}`,
    `${counted(sessions, "running session")}, ${counted(clients - 1, "other client")}`,
    ...(audit ? [describeAudit(audit)] : []),
  ].join("\n");
}

function describeAudit({ file, problem, pending }: NonNullable<HostStatus["audit"]>): string {
  if (problem === null) return `Audit in ${file}`;
  return `The audit ${file} cannot be written (${problem}): ${counted(pending, "act")} not recorded`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

export function describeOtherHost({ pid, version, protocol, stateDirectory: directory, sessions }: HostStatus): string {
  const stop = `limpet host stop --at PLACE --protocol ${protocol}`;
  return `Beside it: host ${pid} (limpet ${version}, protocol ${protocol}) in ${directory}, ${counted(sessions ?? 0, "running session")}. Stop it with: ${stop}`;
}
