/** Narrows the sandbox that a door asks for to what the host's user allows. Pure. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { intersectSandboxes } from "../../safety/sandbox/narrow-sandbox.ts";
import type { TurnTarget } from "../../service/turn/turn-request.ts";

/**
 * `ceiling`: the widest sandbox that is allowed. Undefined: no sandbox is needed. A running shell with a wider sandbox
 * refuses the command.
 */
export function underCeiling(on: TurnTarget, ceiling: SandboxRequest | undefined): TurnTarget {
  if (ceiling === undefined) return on;
  const within = (asked: SandboxRequest | "off" | undefined) =>
    intersectSandboxes(ceiling, asked === "off" ? undefined : asked);
  if (on.kind === "start") return { ...on, start: { ...on.start, sandbox: within(on.start.sandbox) } };
  if (on.kind !== "run") return on;
  const { fresh, sandbox } = on.run;
  const narrowed = within(sandbox ?? fresh?.sandbox);
  return { ...on, run: { ...on.run, sandbox: narrowed, fresh: { ...fresh, sandbox: narrowed } } };
}
