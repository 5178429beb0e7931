/** How to open a session in a sandbox. */
import type { SandboxRequest } from "../base/sandbox-request.ts";
import { sandboxTransport } from "../safety/sandbox/sandbox-transport.ts";
import type { OpenOptions } from "../session/open-session.ts";
import type { SessionOwner } from "../session/resolve-session.ts";

interface Surrounding {
  readonly owner: SessionOwner;
  /** Where the journals of the service are, which no program in a sandbox may read. */
  readonly stateDirectory: string | undefined;
}

/** Nothing without a sandbox. A workspace is the owner's project, or the working directory without one. */
export function inSandbox(
  sandbox: SandboxRequest | undefined,
  { owner, stateDirectory }: Surrounding,
): Pick<OpenOptions, "sandbox" | "transport"> {
  if (!sandbox) return {};
  const project = owner.project ?? undefined;
  const own = stateDirectory === undefined ? [] : [stateDirectory];
  return { sandbox, transport: sandboxTransport({ ...sandbox, project, own }) };
}
