/** What a door asks a host to start, within what the host's own user allows. Pure. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { intersectSandboxes } from "../../safety/sandbox/narrow-sandbox.ts";
import type { TurnTarget } from "../../service/turn/turn-request.ts";

/** `ceiling`: the widest sandbox; undefined: none is needed. A shell that has a wider one refuses the command. */
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
