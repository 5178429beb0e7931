/**
 * What doors may use of the sessions of a host. Everything that is not listed is refused; a method that is added to
 * the service does not compile until somebody has decided about it here.
 */
import type { ApprovalService } from "../../service/approvals/approval.ts";
import type { SessionService } from "../../service/session-service.ts";

/**
 * `open`: as any client. `ruled`: by the rules of the host, see `DoorGate`. `people`: only by doors that count as
 * people. `refused`: by clients on the machine of the host alone.
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
  // It writes into the audit of the door's own user, and uses up approvals there.
  noteFarAct: "refused",
  silentPlaces: "refused",
};

export const DOOR_APPROVAL_RIGHTS: Rights<ApprovalService> = {
  facts: "open",
  list: "open",
  wait: "open",
  withdraw: "open",
  // A door asks through the policy of the host, and could otherwise approve what it asks for itself.
  ask: "refused",
  decide: "ruled",
};

/** The parts of a service that these rights let through. */
export function restricted<Service extends object>(
  service: Service,
  rights: Rights<Service>,
  { ruled, isPerson, refuse }: Restriction<Service>,
): Service {
  return new Proxy({} as Service, {
    get(_, name) {
      // Nobody takes it for a promise.
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
  /** The methods by the rules of the host; those with the right `ruled` have no others. */
  readonly ruled: Partial<Service>;
  readonly isPerson: boolean;
  /** Throws the reason. */
  readonly refuse: (method: string, right: DoorRight) => never;
}
