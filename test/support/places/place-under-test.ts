/**
 * The place at which a suite runs that otherwise runs here: a file sets it, and imports the tests. The tests need no
 * change; only those that inspect the registry of this process are skipped.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { PlaceSetting } from "../../../src/config/settings/read-places.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { connectPlace } from "../../../src/places/connect-place.ts";
import { containerOf, type PlaceAddress, placeOf } from "../../../src/places/place-address.ts";
import type { Container, ContainerEngine } from "../../../src/transport/container/container.ts";
import { endHostsBelow } from "../host/end-hosts.ts";
import { containerPlace } from "./container-place.ts";
import { endMasters } from "./end-masters.ts";
// @ts-expect-error A script without types.
import { openSshd } from "./sshd.mjs";

const KEY = Symbol.for("limpet.test.place");

interface UnderTest {
  readonly folder: string;
  readonly address: PlaceAddress;
}

type Shared = { [KEY]?: UnderTest | "coming" };

/** A client of that place, with names and lists of its own. */
export function clientOfPlace(): HostClient {
  const { folder, address } = (globalThis as Shared)[KEY] as UnderTest;
  const project = `test:${crypto.randomUUID()}`;
  return connectPlace({ place: placeOf(address, {}), stateDirectory: join(folder, "state"), project });
}

/** The running container that the place is. */
export function containerUnderTest(): Container {
  const { address } = (globalThis as Shared)[KEY] as UnderTest;
  const container = containerOf(placeOf(address, {}));
  if (!container) throw new Error("The place is not a container.");
  return container;
}

type Kind = "via" | "ssh" | `${ContainerEngine}${"" | " without Node"}`;

/** In which engine, and whether Node is in the container. */
const CONTAINERS = {
  docker: { kind: "docker", hasNode: true },
  podman: { kind: "podman", hasNode: true },
  "docker without Node": { kind: "docker", hasNode: false },
  "podman without Node": { kind: "podman", hasNode: false },
} as const;

/** Every test of this file runs at that place: over a command, behind a real sshd, in a container, or at an address. */
export function runAt(kind: Kind | PlaceAddress): void {
  const shared = globalThis as Shared;
  let end = async () => {};
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "limpet-at-"));
    const { address, close } = await openPlace(kind, folder);
    shared[KEY] = { folder, address };
    end = async () => {
      const client = clientOfPlace();
      await client.stopHost().catch(() => false);
      client.disconnect();
      await endHostsBelow(folder);
      endMasters(join(folder, "state"));
      await close();
      rmSync(folder, { recursive: true, force: true });
    };
  }, 120_000);
  afterAll(async () => await end(), 120_000);
}

export interface OpenPlace {
  readonly address: PlaceAddress;
  close(): Promise<void>;
}

async function openPlace(kind: Parameters<typeof runAt>[0], folder: string): Promise<OpenPlace> {
  if (typeof kind === "string" && Object.hasOwn(CONTAINERS, kind))
    return await containerPlace(folder, CONTAINERS[kind as keyof typeof CONTAINERS]);
  if (kind !== "via" && kind !== "ssh") return { address: kind, close: async () => undefined };
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  const path = `${join(process.execPath, "..")}:/usr/bin:/bin`;
  if (kind === "via") {
    const setting: PlaceSetting = { via: ["env", "-i", `HOME=${home}`, `PATH=${path}`, "SHELL=/bin/sh"] };
    return { address: setting, close: async () => undefined };
  }
  const ownHome = `SetEnv HISTFILE=/dev/null HOME=${home} PATH=${path} XDG_STATE_HOME=${home}/state`;
  const sshd = await openSshd(folder, { settings: [ownHome], hostKeys: "right" });
  return { address: { ssh: "zoo", config: sshd.env.SSH_CONFIG as string }, close: () => sshd.close() };
}
