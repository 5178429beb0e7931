/** What the benchmark of the fleet needs of src/, for `importSource`. */
export { FleetDoor } from "../../src/fleet/door/fleet-door.ts";
export { fleetService } from "../../src/fleet/door/fleet-service.ts";
export { noSessionsHere } from "../../src/fleet/door/no-sessions-here.ts";
export { joinFleet } from "../../src/fleet/host/join-fleet.ts";
export { hostClient } from "../../src/host/client/host-client.ts";
export { HostServer } from "../../src/host/server/host-server.ts";
export { openStateDirectory } from "../../src/host/state/state-directory.ts";
