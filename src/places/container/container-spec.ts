/** The container that a host on this machine runs its programs in, as its command line says it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
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

const engine = z.enum(["docker", "podman"]);
const text = z.string().min(1).max(4096);
const schema: z.ZodType<ContainerSpec> = z.union([
  z.strictObject({ engine, name: text }),
  z.strictObject({ engine, image: text, workspace: text, reuse: z.boolean().optional() }),
]);

/** Throws `BAD_OPTION`. */
export function parseContainerSpec(given: string): ContainerSpec {
  const parsed = schema.safeParse(safeJson(given));
  if (parsed.success) return parsed.data;
  throw new LimpetError("BAD_OPTION", `${JSON.stringify(given.slice(0, 200))} is not a container. Let limpet set it.`);
}

function safeJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

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
