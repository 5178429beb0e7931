/** The setting `metrics`: the address at which the host serves metrics. */
import { type MetricsAddress, parseMetricsAddress } from "../../base/format/metrics-address.ts";
import { badSetting, type GivenSetting } from "./bad-setting.ts";

export function readMetrics(given: GivenSetting): MetricsAddress {
  const { value } = given;
  const found = typeof value === "string" ? parseMetricsAddress(value) : undefined;
  if (found) return found;
  const problem = `has ${JSON.stringify(value)} for metrics`;
  throw badSetting(given, problem, 'Use an IP address and a port, such as "127.0.0.1:9464".');
}
