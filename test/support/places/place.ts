/** A place on this machine: a home of its own, reached over a command. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PlaceSetting } from "../../../src/config/settings/read-places.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { connectPlace } from "../../../src/places/connect-place.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import { endHostsBelow, endProcess } from "../host/end-hosts.ts";
import { MAIN } from "../mcp.ts";
import { pidsWithVariable } from "../processes.ts";
import { until } from "../sessions.ts";
import { type OnEnd, temporaryDirectory } from "../watching.ts";

/** Far longer than a link takes to connect on a busy machine. */
export const LINK_MS = 90_000;

export interface TestPlace {
  readonly home: string;
  readonly setting: PlaceSetting;
  /** A client of its own. */
  client(): HostClient;
}

interface TestPlaceOptions {
  /** Words before the command that sets the environment. */
  readonly around?: readonly string[];
  readonly path?: string;
  /** When it ends. Default: with the test. */
  readonly onEnd?: OnEnd;
}

/** Its host ends with it. */
export function testPlace(options: TestPlaceOptions = {}): TestPlace {
  const { around = [], path = `${join(process.execPath, "..")}:/usr/bin:/bin`, onEnd = onTestFinished } = options;
  const home = join(temporaryDirectory(onEnd), "home");
  mkdirSync(home, { mode: 0o700 });
  // A link that was cut off while limpet was sent there is still unpacking it.
  onEnd(() => endAllAt(home));
  const setting = { via: ["env", "-i", `HOME=${home}`, `PATH=${path}`, "SHELL=/bin/sh", ...around] };
  // Asking an unused place for its host would open a link.
  const isUsed = () => readdirSync(home).length > 0;
  return { home, setting, client: clientMaker(setting, { onEnd, isUsed }) };
}

async function endAllAt(home: string): Promise<void> {
  await until(() => {
    const left = pidsWithVariable(`HOME=${home}`);
    for (const pid of left) endProcess(pid);
    return left.length === 0;
  }, "nothing runs at the place");
}

interface ClientOptions {
  /** Default: a new one. */
  readonly stateDirectory?: string;
  readonly onEnd?: OnEnd;
  /** Whether a host may run there at the end. Default: yes. */
  readonly isUsed?: () => boolean;
}

/** Of the test that runs. */
const clients = new Set<HostClient>();

/**
 * Makes clients of a place. All clients are closed before a host ends: one whose link breaks would connect again, and
 * send limpet to a home that is being removed.
 */
export function clientMaker(setting: PlaceSetting, options: ClientOptions = {}): () => HostClient {
  const { onEnd = onTestFinished, stateDirectory = temporaryDirectory(onEnd), isUsed = () => true } = options;
  return () => {
    const place = placeOf(setting, {});
    const client = connectPlace({ place, stateDirectory, command: [process.execPath, MAIN] });
    clients.add(client);
    onEnd(async () => {
      for (const each of clients) each.disconnect();
      clients.clear();
      if (isUsed()) await client.stopHost().catch(() => false);
      // One that could not be asked in time, or still writes its journals.
      await endHostsBelow(stateDirectory);
    });
    return client;
  };
}
