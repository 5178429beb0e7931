/** The sessions of a place: a host there, reached over a command, or one on this machine for a container. */
import { join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { type HostClient, hostClient } from "../host/client/host-client.ts";
import type { Connect } from "../host/client/host-link.ts";
import type { HostStream } from "../host/client/host-stream.ts";
import type { ContainerSpec } from "./container/container-spec.ts";
import type { BringNode } from "./node/bring-node.ts";
import { argvOf, type HostedPlace, isHosted, type Place } from "./place-address.ts";

export interface ConnectPlaceOptions {
  readonly place: Place;
  /** limpet's own directory on this machine, where it keeps what it sends to places. */
  readonly stateDirectory: string;
  /** The folder there whose sessions names and lists mean. Default: those of all folders. */
  readonly project?: string;
  /** The command that starts a host on this machine, for containers. Default: `limpet host run` of this package. */
  readonly command?: readonly [program: string, ...args: string[]];
  /** Called while a Node is sent to a place that has none. */
  readonly onProgress?: BringNode["onProgress"];
}

/** The first call connects, and starts a host there if none runs. */
export function connectPlace(options: ConnectPlaceOptions): HostClient {
  const { place, project } = options;
  const connect: Connect = ({ mayStart }) =>
    isHosted(place) ? connectHosted(place, { ...options, mayStart }) : connectImage(place, { ...options, mayStart });
  const scope = { project: project ?? null, reach: project === undefined ? "user" : "project" } as const;
  return hostClient(connect, { isFar: true, identity: () => ({ scope }) });
}

interface Connecting extends ConnectPlaceOptions {
  readonly mayStart: boolean;
}

/** A host inside. A container without Node has one on this machine instead, which then stays responsible for it. */
async function connectHosted(place: HostedPlace, options: Connecting): Promise<HostStream | undefined> {
  const spec = runningContainer(place);
  if (!spec) return await link(place, options);
  const { reachContainer } = await import("./container/reach-container.ts");
  const running = await reachContainer({ spec, ...options, mayStart: false });
  if (running) return running;
  try {
    return await link(place, options);
  } catch (error) {
    if (!hasNoNode(error) || (place.setting.bringNode && options.mayStart)) throw error;
    return await reachContainer({ spec, ...options });
  }
}

async function connectImage(
  { setting }: Place,
  { stateDirectory, mayStart, command }: Connecting,
): Promise<HostStream | undefined> {
  if (!("image" in setting)) return undefined;
  // Loaded at the first call, because child processes are slow to load.
  const [{ imageSpec }, { reachContainer }] = await Promise.all([
    import("./container/image-spec.ts"),
    import("./container/reach-container.ts"),
  ]);
  return await reachContainer({ spec: imageSpec(setting), stateDirectory, mayStart, command });
}

async function link(place: HostedPlace, options: Connecting): Promise<HostStream | undefined> {
  // Loaded at the first call, because child processes and compression are slow to load.
  const { openLink } = await import("./open-link.ts");
  const { stateDirectory, mayStart, onProgress } = options;
  const { bringNode = false } = place.setting;
  const file = typeof bringNode === "string" ? bringNode : undefined;
  return await openLink({
    place: place.name,
    argvFor: (nonce) => argvOf(place, nonce),
    cache: join(stateDirectory, "bundles"),
    mayStart,
    // Who only asks whether a host runs sends nothing.
    bring: bringNode === false || !mayStart ? undefined : { file, onProgress, compress: !runningContainer(place) },
  });
}

const NO_SHELL = /OCI runtime.*\/bin\/sh|exec: "\/bin\/sh"/;

/** Also a container without a shell. */
function hasNoNode(error: unknown): boolean {
  if (!(error instanceof LimpetError)) return false;
  return error.code === "PLACE_NO_NODE" || (error.code === "PLACE_UNREACHABLE" && NO_SHELL.test(error.message));
}

function runningContainer({ setting }: HostedPlace): ContainerSpec | undefined {
  if ("docker" in setting) return { engine: "docker", name: setting.docker };
  return "podman" in setting ? { engine: "podman", name: setting.podman } : undefined;
}
