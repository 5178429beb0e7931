/** Pure: an agent can ask for a narrower sandbox than the person allows, never for a wider one. */
import { LimpetError } from "../../base/limpet-error.ts";
import {
  describeSandbox,
  keeperOf,
  SANDBOX_FILES,
  type SandboxNetwork,
  type SandboxRequest,
} from "../../base/sandbox-request.ts";
import { isCoveredBy, parseAllowedHost } from "./network/allowed-host.ts";
import { requireSandbox } from "./read-sandbox.ts";

/** From wide to narrow. */
const FILES = ["off", ...SANDBOX_FILES] as const;

/** The sandbox that applies: what was asked for, or else the limit. Throws if that is wider than the limit. */
export function narrowSandbox(
  limit: SandboxRequest | undefined,
  asked: SandboxRequest | "off" | undefined,
): SandboxRequest | undefined {
  if (asked === undefined) return limit;
  // Where nothing is said, the limit applies.
  const complete = completeSandbox(limit, requireSandbox(asked));
  const given = complete === "off" ? undefined : complete;
  if (isWithin(given, limit)) return given;
  throw new LimpetError(
    "BAD_OPTION",
    `The sandbox "${describeSandbox(given)}" is wider than a person allows (${describeSandbox(limit)}). Omit sandbox, or ask for a narrower one.`,
  );
}

/** What a request means where another one is the default: where it says nothing, the default applies. */
export function completeSandbox(
  usual: SandboxRequest | undefined,
  asked: SandboxRequest | "off" | undefined,
): SandboxRequest | "off" | undefined {
  if (asked === undefined) return usual;
  return asked === "off" ? asked : { ...usual, ...definedOf(asked) };
}

/** Whether a program in the first sandbox can do nothing that is impossible in the second. Undefined: no sandbox. */
export function isWithin(sandbox: SandboxRequest | undefined, limit: SandboxRequest | undefined): boolean {
  if (!limit) return true;
  if (!sandbox) return false;
  const { allowChanges = [] } = sandbox;
  return (
    FILES.indexOf(sandbox.files) >= FILES.indexOf(limit.files) &&
    isNetworkWithin(sandbox.network ?? "on", limit.network ?? "on") &&
    (limit.with !== "bwrap" || keeperOf(sandbox) === "bwrap") &&
    allowChanges.every((path) => limit.allowChanges?.includes(path))
  );
}

/** What both allow; unlike a request, the second one may be wider. Where it says nothing, the limit applies. */
export function intersectSandboxes(
  limit: SandboxRequest | undefined,
  narrowing: SandboxRequest | undefined,
): SandboxRequest | undefined {
  if (!limit || !narrowing) return limit ?? narrowing;
  const [one, other] = [limit, { ...limit, ...definedOf(narrowing) }];
  const files = FILES.indexOf(one.files) >= FILES.indexOf(other.files) ? one.files : other.files;
  const network = intersectNetworks(one.network ?? "on", other.network ?? "on");
  const allowChanges = one.allowChanges?.filter((path) => other.allowChanges?.includes(path)) ?? [];
  const isBwrap = [one, other].some((each) => each.with === "bwrap");
  return {
    files,
    ...(network === "on" ? {} : { network }),
    ...(allowChanges.length === 0 ? {} : { allowChanges }),
    ...(isBwrap ? { with: "bwrap" } : {}),
  };
}

function intersectNetworks(one: SandboxNetwork, other: SandboxNetwork): SandboxNetwork {
  if (isNetworkWithin(one, other)) return one;
  if (isNetworkWithin(other, one)) return other;
  if (typeof one === "string" || typeof other === "string") return "off";
  return [...new Set([...within(one, other), ...within(other, one)])];
}

function isNetworkWithin(network: SandboxNetwork, limit: SandboxNetwork): boolean {
  if (limit === "on" || network === "off") return true;
  if (typeof network === "string" || typeof limit === "string") return network === limit;
  return within(network, limit).length === network.length;
}

/** The hosts that the others cover. */
function within(hosts: readonly string[], others: readonly string[]): readonly string[] {
  const limits = others.map(parseAllowedHost).filter((limit) => limit !== undefined);
  return hosts.filter((entry) => {
    const host = parseAllowedHost(entry);
    return host !== undefined && limits.some((limit) => isCoveredBy(host, limit));
  });
}

function definedOf(asked: SandboxRequest): SandboxRequest {
  return Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined),
  ) as unknown as SandboxRequest;
}
