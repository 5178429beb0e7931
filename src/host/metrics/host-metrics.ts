import type { MetricsAddress } from "../../base/format/metrics-address.ts";
import type { MetricFamily } from "../../base/format/open-metrics.ts";
import { TurnMeter } from "../../service/metrics/turn-meter.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import { type MetricsServer, serveMetrics } from "./serve-metrics.ts";
import { SessionMeter } from "./session-meter.ts";

/** The metrics of a host. */
export interface HostMetrics {
  /** The same sessions, whose turns are counted. */
  over(sessions: SessionService): SessionService;
  /** `more`: metrics of other parts of the host. */
  serve(more: () => readonly MetricFamily[]): Promise<MetricsServer>;
}

export function hostMetrics(address: MetricsAddress, registry: SessionRegistry): HostMetrics {
  const [turns, sessions] = [new TurnMeter(), new SessionMeter(registry)];
  return {
    over: (service) => turns.over(service),
    serve: (more) => serveMetrics(address, () => [...sessions.families(), ...turns.families(), ...more()]),
  };
}
