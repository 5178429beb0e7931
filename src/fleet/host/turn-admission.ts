/**
 * Decides whether a turn of a door may start or type something. The host's own sandbox, limits and policy always apply.
 * A draining or cordoned host starts nothing new. Names and quotas are claimed in the whole fleet first.
 *
 * A turn that a door repeats after a broken link is admitted once: nobody is asked twice about it.
 */
import { createHash } from "node:crypto";
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { lowestLimits } from "../../base/session-limits.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { TurnVerdict } from "../../service/turn/turn-verdict.ts";
import type { Scope } from "../../session/registry/resolve-session.ts";
import type { Guard } from "../../tools/guard/guard.ts";
import type { NameKeeper } from "../names/name-keeper.ts";
import type { QuotaKeeper } from "../quotas/quota-keeper.ts";
import type { Duty } from "../registry/records.ts";
import type { DoorRules } from "./door-rules.ts";
import { underCeiling } from "./under-ceiling.ts";

export interface TurnAdmissionOptions {
  /** The name of the host. */
  readonly name: string;
  readonly duty: () => Duty;
  readonly rules: DoorRules;
  readonly names: Pick<NameKeeper, "claim" | "settle">;
  readonly quotas: Pick<QuotaKeeper, "reserve" | "hasQuotas">;
}

interface Admission {
  readonly verdict: TurnVerdict | undefined;
  /** Call when the session has started or failed to start. */
  readonly release: () => void;
}

interface Admitting {
  readonly admission: Promise<Admission>;
  /** False for a turn that was sent again. */
  readonly isFirst: boolean;
}

/** Far more turns than are in progress at once. */
const MAX_ADMITTED = 4_096;
/** Longer than the start of a program takes. */
const STARTED_MS = 10_000;
/** The name of the tool for requests of doors that name none. */
export const DOOR_TOOL = "fleet";

export class TurnAdmission {
  readonly #options: TurnAdmissionOptions;
  readonly #guard: Guard;
  /** By a hash of the request. */
  readonly #admitted = new BoundedMap<string, Promise<Admission>>(MAX_ADMITTED);

  constructor(options: TurnAdmissionOptions, guard: Guard) {
    this.#options = options;
    this.#guard = guard;
  }

  /** Rejects with FLEET_FULL on a host that starts nothing new. */
  requireOpen(): void {
    const { name, duty } = this.#options;
    if (duty() === "open") return;
    throw new LimpetError(
      "FLEET_FULL",
      `${name} is ${duty()} and starts nothing new. Start it on another host, or run limpet fleet uncordon ${name}.`,
    );
  }

  /** Runs a turn that starts or types something, within the rules of the host. */
  async run(service: SessionService, scope: Scope, given: TurnRequest): Promise<TurnAnswer> {
    const { ceiling, limits } = this.#options.rules;
    const most = given.on.kind === "session" ? given.limits : lowestLimits(limits(), given.limits);
    const request = { ...given, on: underCeiling(given.on, ceiling()), limits: most };
    const { admission, isFirst } = this.#admit(service, scope, request);
    const { verdict, release } = await admission;
    try {
      return await service.turn({ ...request, verdict: verdict ?? request.verdict });
    } finally {
      // The start continues although the door has stopped waiting for it.
      if (isFirst && given.signal?.aborted) setTimeout(release, STARTED_MS).unref();
      else if (isFirst) release();
    }
  }

  #admit(service: SessionService, scope: Scope, request: TurnRequest): Admitting {
    const { requestId, caller, on, input } = request;
    if (requestId === undefined) return { admission: this.#judgeAndClaim(service, scope, request), isFirst: true };
    const key = createHash("sha256")
      .update(JSON.stringify([scope.project, caller, requestId, on, input]))
      .digest("base64");
    const known = this.#admitted.get(key);
    if (known) return { admission: known, isFirst: false };
    const admission = this.#judgeAndClaim(service, scope, request);
    this.#admitted.set(key, admission);
    admission.catch(() => this.#admitted.delete(key));
    return { admission, isFirst: true };
  }

  async #judgeAndClaim(service: SessionService, { project }: Scope, request: TurnRequest): Promise<Admission> {
    const verdict = await this.#judge(service, request);
    const { names, quotas } = this.#options;
    const name = nameIn(request);
    const mayBeBound = request.on.kind === "start" || (request.on.kind === "run" && quotas.hasQuotas);
    const isBound = mayBeBound && (await startsSomething(service, request));
    const reserved = isBound ? await quotas.reserve({ caller: request.caller, project }) : () => undefined;
    try {
      const claimed = name === undefined ? () => undefined : await names.claim({ project, name });
      return { verdict, release: () => void [reserved(), claimed()] };
    } catch (error) {
      reserved();
      throw error;
    }
  }

  /** Rejects if the turn must not run. */
  async #judge(service: SessionService, request: TurnRequest): Promise<TurnVerdict | undefined> {
    if (this.#options.duty() !== "open" && (await startsSomething(service, request))) this.requireOpen();
    // The policy does not judge what a person types, as in a terminal on that machine.
    if (request.on.kind === "session" && request.input?.by === "person") return undefined;
    const { caller, signal, tool = DOOR_TOOL } = request;
    return await this.#guard(request, { sessions: service, caller, signal, tool });
  }
}

/** The name of the session that the turn may start. */
function nameIn({ on }: TurnRequest): string | undefined {
  if (on.kind === "start") return on.start.name;
  // A shell with a number exists already.
  return on.kind === "run" && !/^\d+$/.test(String(on.run.shell)) ? String(on.run.shell) : undefined;
}

/** False if the turn reuses a session, or runs a command in an existing shell. */
async function startsSomething(service: SessionService, { on, caller }: TurnRequest): Promise<boolean> {
  if (on.kind === "run")
    return (await service.approvals.facts({ caller, to: "shell", key: on.run.shell }).catch(() => null)) === null;
  if (on.kind !== "start") return false;
  const { name, reuse } = on.start;
  if (!reuse || name === undefined) return true;
  return await service.find(name).then(
    ({ exit, lost }) => exit !== null || lost,
    () => true,
  );
}
