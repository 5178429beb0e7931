/** The sessions of a host for doors: a draining or cordoned host starts nothing new, and its own sandbox holds. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { Duty } from "../registry/records.ts";
import { underCeiling } from "./under-ceiling.ts";

interface DutyOptions {
  /** That of the host. */
  readonly name: string;
  readonly duty: () => Duty;
  /** The widest sandbox that its own user allows; undefined: none is needed. */
  readonly ceiling: () => SandboxRequest | undefined;
}

export function dutifulService(service: SessionService, { name, duty, ceiling }: DutyOptions): SessionService {
  const turn: SessionService["turn"] = async (request) => {
    if (duty() !== "open" && (await startsSomething(service, request)))
      throw new LimpetError(
        "FLEET_FULL",
        `${name} is ${duty()} and starts nothing new. Start it on another host, or run limpet fleet uncordon ${name}.`,
      );
    return await service.turn({ ...request, on: underCeiling(request.on, ceiling()) });
  };
  return new Proxy(service, {
    get(target, property) {
      if (property === "turn") return turn;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A command in a shell that is there already starts no session. */
async function startsSomething(service: SessionService, { on }: TurnRequest): Promise<boolean> {
  if (on.kind !== "run") return on.kind === "start";
  return await service.find(on.run.shell).then(
    () => false,
    () => true,
  );
}
