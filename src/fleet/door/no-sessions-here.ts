/** The local service of a door that a person uses: it has no sessions and no audit log. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { isNameOnly } from "./named-sessions.ts";

const OWN: Partial<SessionService> = {
  list: async () => [],
  running: async () => [],
  noteFarAct: async () => undefined,
  acknowledge: () => undefined,
  giveBack: () => undefined,
  async *events({ signal }) {
    await new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      else signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    yield* [];
  },
};

/** All methods that need a session fail, because a session without a host does not exist. */
export function noSessionsHere(): SessionService {
  const refuse = async (asked: unknown) => {
    throw notFound(keyIn(asked));
  };
  // biome-ignore lint/correctness/useYield: it fails before the first value.
  const refuseStream = async function* (key: SessionKey) {
    throw notFound(key);
  };
  const approvals = new Proxy({} as SessionService["approvals"], {
    get: (_, name) => (name === "list" ? async () => [] : refuse),
  });
  const own: Partial<SessionService> = { ...OWN, output: refuseStream, transcript: refuseStream, approvals };
  return new Proxy(own as SessionService, {
    get: (target, name) =>
      Reflect.get(target, name) ?? (typeof name === "string" && name !== "then" ? refuse : undefined),
  });
}

/** Most methods take the key first; a turn has it in its request. */
function keyIn(asked: unknown): SessionKey | undefined {
  if (typeof asked === "string" || typeof asked === "number") return asked;
  const { on } = (asked ?? {}) as Partial<TurnRequest>;
  return on?.kind === "session" ? on.key : undefined;
}

function notFound(key: SessionKey | undefined): LimpetError {
  const what =
    key === undefined || !isNameOnly(key)
      ? "The session has no host name."
      : `No host of the fleet runs a session with the name ${quoteLine(key)}, or several do.`;
  const example = key !== undefined && isNameOnly(key) ? "gpu-1/NAME" : "gpu-1/7";
  return new LimpetError("SESSION_NOT_FOUND", `${what} Write it like ${example}: see limpet ls --fleet.`);
}
