/** A nats-server with the credentials, permissions and certificates that `limpet fleet init` writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FleetUser } from "../../../src/fleet/security/fleet-user.ts";
import { initFleet } from "../../../src/fleet/security/init-fleet.ts";
import { type NatsServer, startNats } from "./nats-server.ts";

export interface SecuredNats {
  readonly server: NatsServer;
  /** The directory that was written. */
  readonly fleet: string;
}

/** Close its server after the tests. */
export async function startSecuredNats(users: readonly FleetUser[]): Promise<SecuredNats> {
  let fleet = "";
  const server = await startNats({
    hasJetStream: false,
    config: (folder) => {
      fleet = join(folder, "fleet");
      initFleet(fleet, { servers: ["localhost", "127.0.0.1"], users });
      return readFileSync(join(fleet, "server/nats-server.conf"), "utf8");
    },
  });
  return { server, fleet };
}
