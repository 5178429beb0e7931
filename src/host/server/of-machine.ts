/** What a client may ask for that comes from elsewhere: the sessions of a host, and not its machine. */
import { LimpetError } from "../../base/limpet-error.ts";
import { REQUESTS } from "./requests.ts";

/** Throws `NOT_ALLOWED` for everything else, such as files of the host's user: no sandbox holds for copying them. */
export function refuseOfMachine(method: string): void {
  if (Object.hasOwn(REQUESTS, method) || method === "status") return;
  const what = `The request ${JSON.stringify(method)} works only on the machine of the host.`;
  throw new LimpetError("NOT_ALLOWED", `${what} Use limpet there.`);
}
