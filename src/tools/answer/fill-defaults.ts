/** Fills in the defaults that a person has set for what an agent does not ask for. Pure. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import { completeSandbox } from "../../safety/sandbox/narrow-sandbox.ts";
import type { StartRequest } from "../../service/turn/start-request.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";

interface Defaults {
  readonly sandbox: SandboxRequest | undefined;
  readonly limits: SessionLimits | undefined;
}

export function fillDefaults<Request extends Pick<TurnRequest, "on">>(request: Request, defaults: Defaults): Request {
  const { on } = request;
  if (on.kind === "start") return { ...request, on: { ...on, start: filled(on.start, defaults) } };
  if (on.kind !== "run") return request;
  const { sandbox, fresh } = on.run;
  const filledShell = filled({ ...fresh, ...(sandbox === undefined ? {} : { sandbox }) }, defaults);
  return Object.keys(filledShell).length === 0
    ? request
    : { ...request, on: { ...on, run: { ...on.run, fresh: filledShell } } };
}

function filled<Given extends Pick<StartRequest, "limits" | "sandbox">>(given: Given, usual: Defaults): Given {
  const sandbox = completeSandbox(usual.sandbox, given.sandbox);
  const limits = { ...usual.limits, ...given.limits };
  return {
    ...given,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}
