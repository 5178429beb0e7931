/** The audit of a host on this machine, in its directory, or of a place, over its link. */
import { connectHost } from "../../../host/client/connect-host.ts";
import type { HostClient } from "../../../host/client/host-client.ts";
import type { ChainEnd } from "../../../safety/audit/audit-chain.ts";
import { auditFiles } from "../../../safety/audit/audit-files.ts";
import { type RawLine, readAudit } from "../../../safety/audit/read-audit.ts";

export interface AuditSource {
  /** How messages name it. */
  readonly where: string;
  /** Oldest first; with `follow`, also those that are written later. */
  lines(options: { readonly follow: boolean }): AsyncIterable<RawLine>;
  /** How many files it had when its lines were read. */
  files(): number;
  /** The last line that a running host has written; undefined if none runs. */
  written(): Promise<ChainEnd | undefined>;
}

export function auditHere(directory: string): AuditSource {
  return {
    where: directory,
    lines: ({ follow }) => readAudit(directory, { follow }),
    files: () => auditFiles(directory).length,
    written: async () => await lastLine(connectHost({ stateDirectory: directory })).catch(() => undefined),
  };
}

export function auditAt(client: HostClient, place: string): AuditSource {
  let files = 0;
  return {
    where: place,
    async *lines({ follow }) {
      for await (const part of client.audit({ follow })) {
        files = part.files;
        yield* part.lines;
      }
    },
    files: () => files,
    written: () => lastLine(client),
  };
}

async function lastLine(client: Pick<HostClient, "hostStatus">): Promise<ChainEnd | undefined> {
  const end = (await client.hostStatus())?.audit?.end;
  return end?.number ? end : undefined;
}
