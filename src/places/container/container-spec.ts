/** The container that a host on this machine runs its programs in. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ContainerEngine } from "../../transport/container/container.ts";

/** A container that runs, or an image to make containers of. */
export type ContainerSpec =
  | { readonly engine: ContainerEngine; readonly name: string }
  | {
      readonly engine: ContainerEngine;
      readonly image: string;
      /** A directory of this machine, which the containers have under the same path. */
      readonly workspace: string;
      /** One container for all sessions. Default: one for each. */
      readonly reuse?: boolean | undefined;
    };

/** The directory of the host for a container. `env`: the same name means another container in another engine. */
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
