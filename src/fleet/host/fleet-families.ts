import type { MetricFamily } from "../../base/format/open-metrics.ts";
import type { Duty } from "../registry/records.ts";

interface FleetFacts {
  readonly epoch: number;
  /** Undefined before the first lease. */
  readonly ageMs: number | undefined;
  readonly duty: Duty;
}

/** The metrics of a host in a fleet. Pure. */
export function fleetFamilies({ epoch, ageMs, duty }: FleetFacts): readonly MetricFamily[] {
  return [
    {
      name: "limpet_fleet_lease_age_seconds",
      type: "gauge",
      help: "The time since this host last renewed its lease; missing before the first lease.",
      samples: ageMs === undefined ? [] : [{ value: ageMs / 1000 }],
    },
    {
      name: "limpet_fleet_epoch",
      type: "gauge",
      help: "The epoch of this host in its fleet; it grows with each start.",
      samples: [{ value: epoch }],
    },
    {
      name: "limpet_fleet_takes_sessions",
      type: "gauge",
      help: "1 if this host takes new sessions, 0 if it is draining or cordoned.",
      samples: [{ value: duty === "open" ? 1 : 0 }],
    },
  ];
}
