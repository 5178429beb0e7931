import type { MetricFamily } from "../../base/format/open-metrics.ts";
import type { HostState } from "../lease/judge-host.ts";
import type { KnownHost } from "../lease/known-host.ts";

const STATES: readonly HostState[] = ["up", "draining", "cordoned", "unreachable", "lost"];

/** The metrics of a fleet, as one of its clients sees it: hosts by state, and running sessions. Pure. */
export function fleetMetrics(hosts: readonly KnownHost[]): readonly MetricFamily[] {
  return [
    {
      name: "limpet_fleet_hosts",
      type: "gauge",
      help: "Hosts of the fleet by state.",
      samples: STATES.map((state) => ({
        labels: { state },
        value: hosts.filter((host) => host.state === state).length,
      })),
    },
    {
      name: "limpet_fleet_sessions",
      type: "gauge",
      help: "Sessions on reachable hosts, as of the last lease of each host.",
      samples: [{ value: hosts.filter(isHere).reduce((sum, { sessions }) => sum + sessions, 0) }],
    },
  ];
}

function isHere({ state }: KnownHost): boolean {
  return state !== "unreachable" && state !== "lost";
}
