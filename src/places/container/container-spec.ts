/** Describes the container in which a host on this machine runs its programs. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ContainerEngine } from "../../transport/container/container.ts";

/** A running container, or an image from which containers are created. */
export type ContainerSpec =
  | { readonly engine: ContainerEngine; readonly name: string }
  | {
      readonly engine: ContainerEngine;
      readonly image: string;
      /** A directory of this machine. It is mounted in the containers under the same path. */
      readonly workspace: string;
      /** Use one container for all sessions. Default: one for each session. */
      readonly reuse?: boolean | undefined;
    };

/**
 * The state directory of the host for a container. `env`: its variables select the engine, and another engine may have
 * another container with the same name.
 */
export function containerState(
  stateDirectory: string,
  spec: ContainerSpec,
  env: Readonly<Record<string, string>>,
): string {
  const engineOf = Object.entries(env)
    .filter(([name]) => /^(?:DOCKER|CONTAINERS?|PODMAN)_/.test(name))
    .sort();
  const hash = createHash("sha256").update(JSON.stringify([spec, engineOf]));
  return join(stateDirectory, "containers", hash.digest("hex").slice(0, 16));
}
