/** Serves metrics at `/metrics`. It is off unless a person turns it on, and serves nothing else. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { MetricsAddress } from "../../base/format/metrics-address.ts";
import { type MetricFamily, OPEN_METRICS_TYPE, openMetrics } from "../../base/format/open-metrics.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";

/** A monitoring program that asks sends a few hundred bytes, and reads at once. */
const MAX_HEADER_BYTES = 8 * 1024;
const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 16;

export interface MetricsServer {
  /** Where it listens, such as `127.0.0.1:9464`. */
  readonly address: string;
  close(): void;
}

export async function serveMetrics(
  { address, port }: MetricsAddress,
  families: () => readonly MetricFamily[],
): Promise<MetricsServer> {
  const options = { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };
  const server = createServer(options, (request, response) => answer(request, response, families));
  server.maxConnections = MAX_CONNECTIONS;
  try {
    server.listen(port, address);
    await once(server, "listening");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LimpetError(
      "WEB_START_FAILED",
      `Metrics cannot be served at ${address}:${port} (${code}). Give --metrics another port.`,
      { cause },
    );
  }
  // The server does not keep the process alive.
  server.unref();
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `${address.includes(":") ? `[${address}]` : address}:${taken}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, families: () => readonly MetricFamily[]): void {
  const [path] = (request.url ?? "").split("?");
  response.setHeader("X-Content-Type-Options", "nosniff");
  if (path !== "/metrics") response.writeHead(404).end();
  else if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405, { Allow: "GET, HEAD" }).end();
  else {
    const text = openMetrics([...processFamilies(), ...families()]);
    response.writeHead(200, { "Content-Type": OPEN_METRICS_TYPE }).end(request.method === "HEAD" ? undefined : text);
  }
}

function processFamilies(): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const gauge = (name: string, help: string, value: number): MetricFamily => ({
    name,
    type: "gauge",
    help,
    samples: [{ value }],
  });
  return [
    {
      name: "limpet",
      type: "info",
      help: "The version of limpet.",
      samples: [{ suffix: "_info", labels: { version: packageVersion() }, value: 1 }],
    },
    gauge("process_start_time_seconds", "When this process started, since 1970.", Date.now() / 1000 - process.uptime()),
    gauge("process_resident_memory_bytes", "Memory of this process.", process.memoryUsage.rss()),
    {
      name: "process_cpu_seconds",
      type: "counter",
      help: "Time that this process has used the processors.",
      samples: [{ suffix: "_total", value: (user + system) / 1e6 }],
    },
  ];
}
