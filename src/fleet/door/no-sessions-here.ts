/** The local service of a door that a person uses: it has no sessions and no audit log. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionService } from "../../service/session-service.ts";

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
  const refuse = async () => {
    throw new LimpetError(
      "SESSION_NOT_FOUND",
      "The session has no host name. Write it like gpu-1/7: see limpet ls --fleet.",
    );
  };
  const approvals = new Proxy({} as SessionService["approvals"], {
    get: (_, name) => (name === "list" ? async () => [] : refuse),
  });
  const own: Partial<SessionService> = { ...OWN, approvals };
  return new Proxy(own as SessionService, {
    get: (target, name) =>
      Reflect.get(target, name) ?? (typeof name === "string" && name !== "then" ? refuse : undefined),
  });
}
