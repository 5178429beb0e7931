/** A place on this machine: a home of its own, reached over a command. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PlaceSetting } from "../../../src/config/settings/read-places.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { connectPlace } from "../../../src/places/connect-place.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import { MAIN } from "../mcp.ts";
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
  const { around = [], path = `${join(process.execPath, "..")}:/usr/bin:/bin` } = options;
  const setting = { via: ["env", "-i", `HOME=${home}`, `PATH=${path}`, "SHELL=/bin/sh", ...around] };
  return { home, setting, client: clientMaker(setting) };
}

/** Makes clients of a place. The test disconnects them, and ends the host. */
export function clientMaker(setting: PlaceSetting, stateDirectory: string = temporaryDirectory()): () => HostClient {
  return () => {
    const client = connectPlace({
      place: placeOf(setting, {}),
      stateDirectory,
      command: [process.execPath, MAIN],
    });
    onTestFinished(async () => {
      await client.stopHost().catch(() => false);
      client.disconnect();
    });
    return client;
  };
}
