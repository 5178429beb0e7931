/** The quotas of a fleet in NATS. Only the credentials of an operator may write them. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Bucket, Bus } from "../nats/bus.ts";
import { parseQuotas } from "./quotas.ts";

export const QUOTAS = "limpet-quotas";
/** The only key. */
export const QUOTAS_KEY = "quotas";
const MAX_CONFLICTS = 5;

/** The document with the quotas; undefined if there is none. */
export async function readQuotas(bus: Bus): Promise<string | undefined> {
  const entry = await (await bus.bucket(QUOTAS)).get(QUOTAS_KEY);
  return entry && Buffer.from(entry.value).toString();
}

/** Throws for a document that `parseQuotas` cannot read, and writes nothing. */
export async function writeQuotas(bus: Bus, document: string): Promise<void> {
  parseQuotas(document);
  const bucket: Bucket = await bus.bucket(QUOTAS);
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const { revision = 0 } = (await bucket.get(QUOTAS_KEY)) ?? {};
    if ((await bucket.replace(QUOTAS_KEY, Buffer.from(document), revision)) !== undefined) return;
  }
  throw new LimpetError("FLEET_REFUSED", "Another operator writes the quotas at the same time. Try again.");
}
