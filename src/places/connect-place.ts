/** The sessions of a place: a host there, reached over a command. */
import { join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { type HostClient, hostClient } from "../host/client/host-client.ts";
import type { Connect } from "../host/client/host-link.ts";
import type { HostStream } from "../host/client/host-stream.ts";
import type { ContainerSpec } from "./container/container-spec.ts";
import { argvOf, type Place } from "./place-address.ts";

export interface ConnectPlaceOptions {
  readonly place: Place;
  /** limpet's own directory on this machine, where it keeps what it sends to places. */
  readonly stateDirectory: string;
  /** The folder there whose sessions names and lists mean. Default: those of all folders. */
  readonly project?: string;
}

/** The first call connects, and starts a host there if none runs. */
export function connectPlace({ place, stateDirectory, project }: ConnectPlaceOptions): HostClient {
  const connect: Connect = async ({ mayStart }) => {
    // Loaded at the first call, because child processes and compression are slow to load.
    const { openLink } = await import("./open-link.ts");
    const link = () =>
      openLink({
        place: place.name,
        argvFor: (nonce) => argvOf(place, nonce),
        cache: join(stateDirectory, "bundles"),
        mayStart,
      });
    const container = runningContainer(place);
    return container ? await linkOrInside(container, { stateDirectory, mayStart, link }) : await link();
  };
  const scope = { project: project ?? null, reach: project === undefined ? "user" : "project" } as const;
  return hostClient(connect, { isFar: true, identity: () => ({ scope }) });
}

interface ContainerLink {
  readonly stateDirectory: string;
  readonly mayStart: boolean;
  /** Reaches a host inside. Rejects with `PLACE_NO_NODE` if none can run there. */
  link(): Promise<HostStream | undefined>;
}

/** A host inside, if the container has Node. Else one on this machine, which then stays responsible for it. */
async function linkOrInside(
  spec: ContainerSpec,
  { link, ...options }: ContainerLink,
): Promise<HostStream | undefined> {
  const { reachContainer } = await import("./container/reach-container.ts");
  const running = await reachContainer({ spec, ...options, mayStart: false });
  if (running) return running;
  try {
    return await link();
  } catch (error) {
    if (!hasNoNode(error)) throw error;
    return await reachContainer({ spec, ...options });
  }
}

/** Also a container without a shell. */
function hasNoNode(error: unknown): boolean {
  if (!(error instanceof LimpetError)) return false;
  return error.code === "PLACE_NO_NODE" || (error.code === "PLACE_UNREACHABLE" && NO_SHELL.test(error.message));
}

const NO_SHELL = /OCI runtime.*\/bin\/sh|exec: "\/bin\/sh"/;

function runningContainer({ setting }: Place): ContainerSpec | undefined {
  if ("docker" in setting) return { engine: "docker", name: setting.docker };
  return "podman" in setting ? { engine: "podman", name: setting.podman } : undefined;
}
