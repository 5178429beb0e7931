import { isIP } from "node:net";
import { LimpetError } from "../limpet-error.ts";

export interface MetricsAddress {
  readonly address: string;
  readonly port: number;
}

/** Reads `9464`, `127.0.0.1:9464` or `[::1]:9464`. A port alone is on the loopback address. Pure. */
export function parseMetricsAddress(text: string): MetricsAddress | undefined {
  const [, six, four, digits = ""] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d{1,5})$/.exec(text) ?? [];
  const address = six ?? four ?? "127.0.0.1";
  const port = Number(digits);
  const isAddress = isIP(address) === (six === undefined ? 4 : 6);
  return digits !== "" && port <= 65_535 && isAddress ? { address, port } : undefined;
}

/** Like `parseMetricsAddress`, for the flag `--metrics`: throws `BAD_OPTION` for anything else. */
export function requireMetricsAddress(text: string): MetricsAddress {
  const found = parseMetricsAddress(text);
  if (found) return found;
  throw new LimpetError(
    "BAD_OPTION",
    `--metrics is ${JSON.stringify(text)}. Give a port, or an IP address and a port, such as 127.0.0.1:9464.`,
  );
}
