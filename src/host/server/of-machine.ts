/** Requests about the machine of a host rather than its sessions: who comes from elsewhere may not make them. */
import { LimpetError } from "../../base/limpet-error.ts";
import { fileRequest } from "./files/file-requests.ts";

const WHAT: ReadonlyMap<string, string> = new Map([
  ["stop", "The host is stopped"],
  ["audit", "The audit log is read"],
]);

/** Throws `NOT_ALLOWED` for such a request. Files are those of the host's user, and no sandbox holds for copying. */
export function refuseOfMachine(method: string): void {
  const what = fileRequest(method) ? "Files are copied" : WHAT.get(method);
  if (what === undefined) return;
  throw new LimpetError("NOT_ALLOWED", `${what} only by clients on the machine of the host. Use limpet there.`);
}
