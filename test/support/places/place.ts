/** A place on this machine: a home of its own, reached over a command. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PlaceSetting } from "../../../src/config/settings/read-places.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { connectPlace } from "../../../src/places/connect-place.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import { endProcess } from "../host/host.ts";
import { MAIN } from "../mcp.ts";
import { pidsWithVariable } from "../processes.ts";
import { until } from "../sessions.ts";
import { temporaryDirectory } from "../watching.ts";

/** Far longer than a link takes to come, on a machine that does much else. */
export const LINK_MS = 90_000;

export interface TestPlace {
  readonly home: string;
  readonly setting: PlaceSetting;
  /** A client of its own. */
  client(): HostClient;
}

/** The test ends its host. `around`: words before the command that sets the environment. */
export function testPlace(options: { readonly around?: readonly string[]; readonly path?: string } = {}): TestPlace {
  const home = join(temporaryDirectory(), "home");
  mkdirSync(home, { mode: 0o700 });
  // A link that was cut off while limpet was sent there is still unpacking it.
  onTestFinished(() => endAllAt(home));
  const { around = [], path = `${join(process.execPath, "..")}:/usr/bin:/bin` } = options;
  const setting = { via: ["env", "-i", `HOME=${home}`, `PATH=${path}`, "SHELL=/bin/sh", ...around] };
  return { home, setting, client: clientMaker(setting) };
}

async function endAllAt(home: string): Promise<void> {
  await until(() => {
    const left = pidsWithVariable(`HOME=${home}`);
    for (const pid of left) endProcess(pid);
    return left.length === 0;
  }, "nothing runs at the place");
}

/** Of the test that runs. */
const clients = new Set<HostClient>();

/**
 * Makes clients of a place. At the end of the test all clients are disconnected before a host ends: one whose link
 * breaks would connect again, and send limpet to a home that is being removed.
 */
export function clientMaker(setting: PlaceSetting, stateDirectory: string = temporaryDirectory()): () => HostClient {
  const reached = { ...setting };
  onTestFinished(() => {
    // What still wants to go on after the test reaches nothing, and creates nothing.
    if ("via" in reached) Object.assign(reached, { via: ["false"] });
  });
  return () => {
    const client = connectPlace({
      place: placeOf(reached, {}),
      stateDirectory,
      command: [process.execPath, MAIN],
    });
    clients.add(client);
    onTestFinished(async () => {
      for (const each of clients) each.disconnect();
      clients.clear();
      await client.stopHost().catch(() => false);
    });
    return client;
  };
}
