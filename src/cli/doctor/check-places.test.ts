import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostStatus } from "../../host/protocol.ts";
import { checkPlaces } from "./check-places.ts";

const status = { version: "1.2.3", node: "v22.4.0", sessions: 1 } as HostStatus;

test("each place is a finding, and one that cannot be reached is a warning with the reason", async () => {
  const lost = new LimpetError("PLACE_UNREACHABLE", "ssh says no. Check the host.");
  const findings = await checkPlaces([
    { name: "build", status: async () => status },
    { name: "idle", status: async () => undefined },
    { name: "dead", status: () => Promise.reject(lost) },
  ]);

  expect(findings.map(({ check, verdict, what }) => [check, verdict, what])).toEqual([
    ["place build", "ok", "reachable, limpet 1.2.3 on Node v22.4.0, 1 session"],
    ["place idle", "ok", "reachable, with Node; no host runs there"],
    ["place dead", "warn", "ssh says no. Check the host."],
  ]);
});
