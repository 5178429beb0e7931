/**
 * Which methods of a host's service doors may call. Everything else is refused. A new method of the service does not
 * compile until it is listed here.
 */
import type { ApprovalService } from "../../service/approvals/approval.ts";
import type { SessionService } from "../../service/session-service.ts";

/**
 * `open`: allowed, as for any client. `ruled`: allowed within the rules of the host, see `DoorGate`. `people`: only for
 * doors that count as people. `refused`: only for clients on the machine of the host.
 */
export type DoorRight = "open" | "ruled" | "people" | "refused";

type Rights<Service> = Readonly<Record<keyof Service, DoorRight>>;

export const DOOR_RIGHTS: Rights<SessionService> = {
  approvals: "ruled",
  turn: "ruled",
  write: "ruled",
  rename: "ruled",
  restart: "ruled",
  record: "ruled",
  close: "ruled",
  answerPrompt: "people",
  hold: "people",
  release: "people",
  freeze: "people",
  thaw: "people",
  acknowledge: "open",
  giveBack: "open",
  passwordPrompt: "open",
  output: "open",
  transcript: "open",
  find: "open",
  running: "open",
  list: "open",
  processes: "open",
  history: "open",
  events: "open",
  signal: "open",
  resize: "open",
  lendSize: "open",
  stopRecording: "open",
  // It writes to the audit log of the door's user and uses up approvals of that user, so it runs on the door's machine.
  noteFarAct: "refused",
  silentPlaces: "refused",
};

export const DOOR_APPROVAL_RIGHTS: Rights<ApprovalService> = {
  facts: "open",
  list: "open",
  wait: "open",
  withdraw: "open",
  // The policy of the host asks on behalf of a door. A door that could ask by itself could also answer its own request.
  ask: "refused",
  decide: "ruled",
};

/** A service with only the methods that these rights allow. */
export function restricted<Service extends object>(
  service: Service,
  rights: Rights<Service>,
  { ruled, isPerson, refuse }: Restriction<Service>,
): Service {
  return new Proxy({} as Service, {
    get(_, name) {
      // Without `then`, `await` does not treat the proxy as a promise.
      if (typeof name !== "string" || name === "then") return undefined;
      const right: DoorRight = Object.hasOwn(rights, name) ? rights[name as keyof Service] : "refused";
      const mayUse = right !== "refused" && (right !== "people" || isPerson);
      const owner = Object.hasOwn(ruled, name) ? ruled : right === "ruled" ? {} : service;
      const given: unknown = mayUse ? Reflect.get(owner, name, owner) : undefined;
      if (given === undefined) return () => refuse(name, right);
      return typeof given === "function" ? given.bind(owner) : given;
    },
  });
}

interface Restriction<Service> {
  /**
   * Implementations that apply the rules of the host. A method with the right `ruled` that is missing here is refused.
   */
  readonly ruled: Partial<Service>;
  readonly isPerson: boolean;
  /** Throws an error with the reason. */
  readonly refuse: (method: string, right: DoorRight) => never;
}
