import type { MetricsAddress } from "../../base/format/metrics-address.ts";
import { serveMetrics } from "../../host/metrics/serve-metrics.ts";
import { TurnMeter } from "../../service/metrics/turn-meter.ts";
import type { SessionService } from "../../service/session-service.ts";

interface Metered {
  /** The same sessions, whose turns are counted. */
  readonly sessions: SessionService;
  /** Where monitoring programs can ask. */
  readonly address: string;
  close(): void;
}

/** Sessions behind a server for agents, with metrics of what is asked of them through it. */
export async function meteredSessions(sessions: SessionService, address: MetricsAddress): Promise<Metered> {
  const meter = new TurnMeter();
  const server = await serveMetrics(address, () => meter.families());
  return { sessions: meter.over(sessions), address: server.address, close: () => server.close() };
}
