/** The service of a door that has no sessions of its own and keeps no audit: a person looks through it. */
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

/** Everything else needs the name of a host. */
export function noSessionsHere(): SessionService {
  const refuse = async () => {
    throw new LimpetError(
      "SESSION_NOT_FOUND",
      "That session names no host. Write it like gpu-1/7: see limpet ls --fleet.",
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
