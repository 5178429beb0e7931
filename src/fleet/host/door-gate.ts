/**
 * The sessions of a host as doors may use them. The host's own sandbox, limits and policy hold, whatever a door asks
 * for; a draining or cordoned host starts nothing new; a name is claimed in the whole fleet first.
 *
 * A turn that is sent again after a broken link was admitted before, and is not asked about twice.
 */
import { createHash } from "node:crypto";
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { lowestLimits } from "../../base/session-limits.ts";
import type { SessionInput } from "../../service/input/session-input.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnInput, TurnRequest } from "../../service/turn/turn-request.ts";
import type { TurnVerdict } from "../../service/turn/turn-verdict.ts";
import type { Scope } from "../../session/registry/resolve-session.ts";
import type { Guard } from "../../tools/guard/guard.ts";
import { guardByPolicy } from "../../tools/guard/guard-by-policy.ts";
import { isAct } from "../../tools/guard/plan-acts.ts";
import type { NameKeeper } from "../names/name-keeper.ts";
import type { QuotaKeeper } from "../quotas/quota-keeper.ts";
import type { Duty } from "../registry/records.ts";
import type { DoorRules } from "./door-rules.ts";
import { underCeiling } from "./under-ceiling.ts";

interface DoorGateOptions {
  /** That of the host. */
  readonly name: string;
  readonly duty: () => Duty;
  readonly rules: DoorRules;
  readonly names: Pick<NameKeeper, "claim" | "settle">;
  readonly quotas: Pick<QuotaKeeper, "reserve" | "hasQuotas">;
}

interface Admission {
  readonly verdict: TurnVerdict | undefined;
  /** Called when the session has been started, or has not. */
  readonly release: () => void;
}

interface Admitting {
  readonly admission: Promise<Admission>;
  /** Not a turn that was sent again. */
  readonly isFirst: boolean;
}

/** Far more than are on their way at once. */
const MAX_ADMITTED = 4_096;
/** Longer than the start of a program takes. */
const STARTED_MS = 10_000;
const TOOL = "fleet";

export class DoorGate {
  readonly #options: DoorGateOptions;
  readonly #guard: Guard;
  /** By what the turn is. */
  readonly #admitted = new BoundedMap<string, Promise<Admission>>(MAX_ADMITTED);

  constructor(options: DoorGateOptions) {
    this.#options = options;
    const { name, rules } = options;
    const policy = { ...rules.policy, hasPeople: true, at: name, approval: "person" } as const;
    this.#guard = guardByPolicy(policy, { tools: [], client: () => "a door of the fleet", asker: undefined });
  }

  /** The sessions for one door. */
  over(service: SessionService, scope: Scope): SessionService {
    const { rules } = this.#options;
    const own: Partial<SessionService> = {
      approvals: { ...service.approvals, decide: async () => this.#refuseDecision() },
      turn: async (request) =>
        isAct(request) ? await this.#act(service, scope, request) : await service.turn(request),
      write: async (key, input, options) => {
        const given = options?.by === "person" ? undefined : inputOf(input);
        const turn = { on: { kind: "session", key }, input: given } as const;
        if (given) await this.#guard(turn, { sessions: service, caller: options?.caller ?? TOOL, tool: TOOL });
        await service.write(key, input, options);
      },
      record: async (key, options) => {
        // The host writes the file, outside of any sandbox.
        if (rules.ceiling() !== undefined) throw this.#refuseFile();
        return await service.record(key, options);
      },
      rename: async (key, name) => {
        const release = await this.#options.names.claim({ project: await projectOf(service, key), name });
        try {
          return await service.rename(key, name);
        } finally {
          release();
        }
      },
      close: async (key, request) => {
        const closed = await service.close(key, request);
        // Whoever closes a session can use its name at once.
        await this.#options.names.settle();
        return closed;
      },
    };
    return new Proxy(service, {
      get(target, property) {
        const replaced: unknown = Reflect.get(own, property);
        if (replaced !== undefined) return replaced;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  async #act(service: SessionService, scope: Scope, given: TurnRequest): Promise<TurnAnswer> {
    const { ceiling, limits } = this.#options.rules;
    const most = given.on.kind === "session" ? given.limits : lowestLimits(limits(), given.limits);
    const request = { ...given, on: underCeiling(given.on, ceiling()), limits: most };
    const { admission, isFirst } = this.#admit(service, scope, request);
    const { verdict, release } = await admission;
    try {
      return await service.turn({ ...request, verdict: verdict ?? request.verdict });
    } finally {
      // A start goes on without the door that asked for it.
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
    const { name, duty } = this.#options;
    if (duty() !== "open" && (await startsSomething(service, request)))
      throw new LimpetError(
        "FLEET_FULL",
        `${name} is ${duty()} and starts nothing new. Start it on another host, or run limpet fleet uncordon ${name}.`,
      );
    // A person types as they like, as in a terminal of that machine.
    if (request.on.kind === "session" && request.input?.by === "person") return undefined;
    const { caller, signal, tool = TOOL } = request;
    return await this.#guard(request, { sessions: service, caller, signal, tool });
  }

  #refuseFile(): LimpetError {
    const { name } = this.#options;
    return new LimpetError(
      "NOT_ALLOWED",
      `Programs of ${name} run in a sandbox, and a recording would be written outside of it. Record on that machine.`,
    );
  }

  /** Otherwise, a door could approve what it asks for itself. */
  #refuseDecision(): never {
    const { name } = this.#options;
    throw new LimpetError(
      "APPROVAL_REFUSED",
      `Approvals of ${name} are decided on that machine, not through the fleet. Run limpet approve there.`,
    );
  }
}

/** The name that a session gets if the turn starts one. */
function nameIn({ on }: TurnRequest): string | undefined {
  if (on.kind === "start") return on.start.name;
  // A shell with a number exists already.
  return on.kind === "run" && !/^\d+$/.test(String(on.run.shell)) ? String(on.run.shell) : undefined;
}

/** A session that is used again, or a command in a shell that is there, starts nothing. */
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

function inputOf(input: SessionInput): TurnInput | undefined {
  if (input === null) return undefined;
  if (typeof input !== "string" && !(input instanceof Uint8Array)) return { strokes: input };
  return { strokes: [{ kind: "text", text: typeof input === "string" ? input : Buffer.from(input).toString() }] };
}

async function projectOf(service: SessionService, key: number | string): Promise<string | null> {
  const { id } = await service.find(key);
  const found = (await service.list({ ended: false, all: true })).find((session) => session.id === id);
  return found?.owner?.project ?? null;
}
