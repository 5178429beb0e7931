/** Counts the requests that one server makes to sessions, and serves the counts as metrics. */
import type { MetricsAddress } from "../../base/format/metrics-address.ts";
import type { MetricFamily } from "../../base/format/open-metrics.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { serveMetrics } from "../../host/metrics/serve-metrics.ts";
import { TurnMeter } from "../../service/metrics/turn-meter.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { Refusal } from "../../web/server/refusal.ts";

export interface Meter {
  /** The address at which the metrics are served. */
  readonly address: string;
  /** The same sessions, whose turns and refusals are counted. */
  over(sessions: SessionService): SessionService;
  /** Counts a call that was refused before it reached the sessions. */
  noteRefusal(error: unknown): void;
  /** The same for a request over HTTP. */
  onRefused(refusal: Refusal, error?: unknown): void;
  /** Adds further metrics. */
  add(families: () => readonly MetricFamily[]): void;
  close(): void;
}

export async function openMeter(address: MetricsAddress): Promise<Meter> {
  const turns = new TurnMeter();
  const more: (() => readonly MetricFamily[])[] = [];
  const server = await serveMetrics(address, () => [...turns.families(), ...more.flatMap((families) => families())]);
  return {
    address: server.address,
    over: (sessions) => turns.over(sessions),
    noteRefusal: turns.noteRefusal,
    onRefused: ({ code }, error) => {
      if (error instanceof LimpetError) turns.noteRefusal(error);
      else turns.countRefusal(code);
    },
    add: (families) => void more.push(families),
    close: () => server.close(),
  };
}
