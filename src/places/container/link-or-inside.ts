/**
 * Reaches the host of a container. The host runs inside if the container has Node, otherwise on this machine. While a
 * host for the container runs on this machine, it is used.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import type { PlaceSetting } from "../../config/settings/read-places.ts";
import type { Connect } from "../../host/client/connect-request.ts";
import type { Container } from "../../transport/container/container.ts";
import { imageSpec } from "./image-spec.ts";
import { type ReachContainer, reachContainer } from "./reach-container.ts";

type Options = Pick<ReachContainer, "stateDirectory" | "command">;

interface ContainerLink extends Options {
  /** Reaches a host inside the container. Rejects with `PLACE_NO_NODE` if no host can run there. */
  readonly link: Connect;
  /** limpet sends Node to a container that has none. */
  readonly isBringing: boolean;
}

export function linkOrInside(spec: Container, { stateDirectory, command, link, isBringing }: ContainerLink): Connect {
  const options = { spec, stateDirectory, command };
  return async (request) => {
    const { mayStart, signal } = request;
    const running = await reachContainer({ ...options, signal, mayStart: false });
    if (running) return running;
    try {
      return await link(request);
    } catch (error) {
      if (!hasNoNode(error) || (isBringing && mayStart)) throw error;
      return await reachContainer({ ...options, signal, mayStart });
    }
  };
}

export function reachImage(
  setting: Extract<PlaceSetting, { readonly image: string }>,
  { stateDirectory, command }: Options,
): Connect {
  const options = { spec: imageSpec(setting), stateDirectory, command };
  return async ({ mayStart, signal }) => await reachContainer({ ...options, mayStart, signal });
}

const NO_SHELL = /OCI runtime.*\/bin\/sh|exec: "\/bin\/sh"/;

/** True also for a container without a shell. */
function hasNoNode(error: unknown): boolean {
  if (!(error instanceof LimpetError)) return false;
  return error.code === "PLACE_NO_NODE" || (error.code === "PLACE_UNREACHABLE" && NO_SHELL.test(error.message));
}
