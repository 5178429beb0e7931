import { decodeMessage } from "../link/open-messages.ts";
import { DUTIES, type Duty } from "../registry/records.ts";

/** What an operator wants of a host; undefined for what is not such a request. Pure. */
export function readControl(data: Uint8Array): Duty | undefined {
  const { duty } = decodeMessage(data) ?? {};
  return DUTIES.find((known) => known === duty);
}
