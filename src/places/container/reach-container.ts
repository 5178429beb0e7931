/**
 * Reaches the host of a container without Node: a host on this machine that runs its programs inside the container. It
 * has its own state directory, so it has only sessions of that container.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownCommand } from "../../host/client/connect-host.ts";
import type { HostStream } from "../../host/client/host-stream.ts";
import { engineEnv } from "../../transport/env/child-env.ts";
import { type ContainerSpec, containerState } from "./container-spec.ts";

export interface ReachContainer {
  readonly spec: ContainerSpec;
  readonly stateDirectory: string;
  readonly mayStart: boolean;
  /** After an abort, no host is started. */
  readonly signal?: AbortSignal | undefined;
  /** The command that starts a host. Default: that of this package. */
  readonly command?: readonly string[] | undefined;
}

/** Undefined if no host runs and `mayStart` is false. */
export async function reachContainer({
  spec,
  stateDirectory,
  mayStart,
  signal,
  command,
}: ReachContainer): Promise<HostStream | undefined> {
  const env = engineEnv();
  const directory = containerState(stateDirectory, spec, env);
  if (!mayStart && !existsSync(join(directory, "host.sock"))) return undefined;
  const { reachHost } = await import("../../host/client/reach-host.ts");
  return await reachHost(directory, {
    signal,
    ...(mayStart ? { startWith: () => command ?? ownCommand() } : {}),
    extra: { words: ["--inside", JSON.stringify(spec)], env },
  });
}
