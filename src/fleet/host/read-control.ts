import { decodeMessage } from "../link/open-messages.ts";
import { DUTIES, type Duty } from "../registry/records.ts";

/** Reads the duty that an operator sets; undefined for any other message. Pure. */
export function readControl(data: Uint8Array): Duty | undefined {
  const { duty } = decodeMessage(data) ?? {};
  return DUTIES.find((known) => known === duty);
}
