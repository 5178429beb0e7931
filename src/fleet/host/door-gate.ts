/**
 * Restricts what a door, which is a client of the fleet, may do with the sessions of a host: only what `DOOR_RIGHTS`
 * lists, and within the rules of the host's user. If these rules name a sandbox, a door can type only into sessions
 * inside it, and the host writes no files for it.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import { isWithin } from "../../safety/sandbox/narrow-sandbox.ts";
import type { ApprovalService } from "../../service/approvals/approval.ts";
import type { SessionInput } from "../../service/input/session-input.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnInput, TurnRequest } from "../../service/turn/turn-request.ts";
import type { Scope } from "../../session/registry/resolve-session.ts";
import type { Guard } from "../../tools/guard/guard.ts";
import { guardByPolicy } from "../../tools/guard/guard-by-policy.ts";
import { isAct } from "../../tools/guard/plan-acts.ts";
import { DOOR_APPROVAL_RIGHTS, DOOR_RIGHTS, type DoorRight, restricted } from "./door-methods.ts";
import { DOOR_TOOL, TurnAdmission, type TurnAdmissionOptions } from "./turn-admission.ts";

/** The identity of a door, which NATS has authenticated. */
export interface DoorIdentity {
  readonly name: string;
  readonly scope: Scope;
}

export class DoorGate {
  readonly #options: TurnAdmissionOptions;
  readonly #guard: Guard;
  readonly #turns: TurnAdmission;

  constructor(options: TurnAdmissionOptions) {
    this.#options = options;
    const { name, rules } = options;
    const policy = { ...rules.policy, hasPeople: true, at: name, approval: "person" } as const;
    this.#guard = guardByPolicy(policy, { tools: [], client: () => "a door of the fleet", asker: undefined });
    this.#turns = new TurnAdmission(options, this.#guard);
  }

  /** The service that one door may use. */
  over(service: SessionService, door: DoorIdentity): SessionService {
    const isPerson = this.#options.rules.people?.includes(door.name) ?? true;
    const refuse = (method: string, right: DoorRight) => this.#refuse(method, right, door);
    const inside = this.#insideOf(service);
    const decide: ApprovalService["decide"] = async () => this.#refuseDecision();
    const ruled: Partial<SessionService> = {
      approvals: restricted(service.approvals, DOOR_APPROVAL_RIGHTS, { ruled: { decide }, isPerson, refuse }),
      turn: async (given) => {
        const request = isPerson ? given : byAgent(given);
        if (request.on.kind === "session" && request.input) await inside(request.on.key);
        return isAct(request) ? await this.#turns.run(service, door.scope, request) : await service.turn(request);
      },
      write: async (key, input, given) => {
        const options = isPerson ? given : { ...given, by: "agent" as const };
        if (input !== null) await inside(key);
        const judged = options?.by === "person" ? undefined : inputOf(input);
        const turn = { on: { kind: "session", key }, input: judged } as const;
        if (judged)
          await this.#guard(turn, { sessions: service, caller: options?.caller ?? DOOR_TOOL, tool: DOOR_TOOL });
        await service.write(key, input, options);
      },
      record: async (key, options) => {
        // The host writes the file itself, outside any sandbox.
        if (this.#options.rules.ceiling() !== undefined) throw this.#refuseFile();
        return await service.record(key, options);
      },
      rename: async (key, name) => {
        const project = (await summaryOf(service, key))?.owner?.project ?? null;
        const release = await this.#options.names.claim({ project, name });
        try {
          return await service.rename(key, name);
        } finally {
          release();
        }
      },
      restart: async (key, options) => {
        this.#turns.requireOpen();
        await this.#requireInside(key, async () => (await summaryOf(service, key))?.sandbox);
        return await service.restart(key, options);
      },
      answerPrompt: async (key, answer) => {
        await inside(key);
        await service.answerPrompt(key, answer);
      },
      close: async (key, request) => {
        const closed = await service.close(key, request);
        // The caller can reuse the name as soon as this returns.
        await this.#options.names.settle();
        return closed;
      },
    };
    return restricted(service, DOOR_RIGHTS, { ruled, isPerson, refuse });
  }

  /** Returns a check that rejects if the running session has a wider sandbox than doors may use. */
  #insideOf(service: SessionService): (key: SessionKey) => Promise<void> {
    const asked = { caller: DOOR_TOOL, to: "session" } as const;
    return (key) => this.#requireInside(key, async () => (await service.approvals.facts({ ...asked, key }))?.sandbox);
  }

  async #requireInside(
    key: SessionKey,
    sandboxOf: () => Promise<SessionSummary["sandbox"] | undefined>,
  ): Promise<void> {
    const { name, rules } = this.#options;
    const ceiling = rules.ceiling();
    if (ceiling === undefined || isWithin((await sandboxOf()) ?? undefined, ceiling)) return;
    throw new LimpetError(
      "NOT_ALLOWED",
      `Session ${key} of ${name} has a wider sandbox than doors may use. Use it on that machine.`,
    );
  }

  #refuse(method: string, right: DoorRight, { name: door }: DoorIdentity): never {
    const { name } = this.#options;
    if (right === "people")
      throw new LimpetError(
        "NOT_ALLOWED",
        `${method} is only for doors of people, and ${name} counts the door ${door} as one of agents. Use another door, or add --people ${door} to the start of that host.`,
      );
    throw new LimpetError(
      "NOT_ALLOWED",
      `${method} is not available through the fleet. Use limpet on the machine of ${name}.`,
    );
  }

  #refuseFile(): LimpetError {
    const { name } = this.#options;
    return new LimpetError(
      "NOT_ALLOWED",
      `Programs on ${name} run in a sandbox, and the host would write the recording outside of it. Record on that machine.`,
    );
  }

  /** A door must not approve its own requests. */
  #refuseDecision(): never {
    const { name } = this.#options;
    throw new LimpetError(
      "APPROVAL_REFUSED",
      `Approvals of ${name} are decided on that machine, not through the fleet. Run limpet approve there.`,
    );
  }
}

/** Input through a door of agents always counts as an agent's, even if the request says otherwise. */
function byAgent(request: TurnRequest): TurnRequest {
  return request.input ? { ...request, input: { ...request.input, by: "agent" } } : request;
}

function inputOf(input: SessionInput): TurnInput | undefined {
  if (input === null) return undefined;
  if (typeof input !== "string" && !(input instanceof Uint8Array)) return { strokes: input };
  return { strokes: [{ kind: "text", text: typeof input === "string" ? input : Buffer.from(input).toString() }] };
}

async function summaryOf(service: SessionService, key: SessionKey): Promise<SessionSummary | undefined> {
  const { id } = await service.find(key);
  return (await service.list({ ended: true, all: true })).find((session) => session.id === id);
}
