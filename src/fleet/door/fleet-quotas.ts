/** The quotas of a fleet in NATS. Only operators may write them; that is what their credentials say. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { Bucket, Bus } from "../nats/bus.ts";
import { hasQuota, judgeQuota, parseQuotas } from "../placement/quotas.ts";

const [BUCKET, KEY] = ["limpet-quotas", "quotas"];
const MAX_CONFLICTS = 5;

/** The document; undefined if there is none. */
export async function readQuotas(bus: Bus): Promise<string | undefined> {
  const entry = await (await bus.bucket(BUCKET)).get(KEY);
  return entry && Buffer.from(entry.value).toString();
}

/** Refuses a document that cannot be read, and writes nothing then. */
export async function writeQuotas(bus: Bus, document: string): Promise<void> {
  parseQuotas(document);
  const bucket: Bucket = await bus.bucket(BUCKET);
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const { revision = 0 } = (await bucket.get(KEY)) ?? {};
    if ((await bucket.replace(KEY, Buffer.from(document), revision)) !== undefined) return;
  }
  throw new LimpetError("FLEET_REFUSED", "Others write the quotas at the same time. Try again.");
}

export interface QuotaAsker {
  readonly caller: string;
  /** Null for a session of no project. */
  readonly project: string | null;
  /** The sessions of the fleet. */
  readonly list: SessionService["list"];
}

/**
 * Rejects with FLEET_FULL if this caller or project runs as many sessions as it may. Starts that are decided at the
 * same moment do not count each other. The sessions are counted only if there is a quota.
 */
export async function requireQuota(bus: Bus, { caller, project, list }: QuotaAsker): Promise<void> {
  const document = await readQuotas(bus);
  if (document === undefined) return;
  const quotas = parseQuotas(document);
  if (!hasQuota(quotas, { caller, project })) return;
  const owners = (await list({ ended: false, all: true })).map(({ owner }) => owner);
  const refusal = judgeQuota(quotas, {
    caller,
    project,
    sessionsOfCaller: owners.filter((owner) => owner && isSameCaller(owner.caller, caller)).length,
    sessionsOfProject: owners.filter((owner) => owner && owner.project === project).length,
  });
  if (refusal !== undefined) throw new LimpetError("FLEET_FULL", refusal);
}

/** A host calls the second client of that name `NAME #2`. */
function isSameCaller(owner: string, caller: string): boolean {
  return owner === caller || (owner.startsWith(`${caller} #`) && /^\d+$/.test(owner.slice(caller.length + 2)));
}
