/** Pure: an agent can ask for a narrower sandbox than the person allows, never for a wider one. */
import { LimpetError } from "../../base/limpet-error.ts";
import { describeSandbox, SANDBOX_FILES, type SandboxRequest } from "../../base/sandbox-request.ts";

/** From wide to narrow. */
const FILES = ["off", ...SANDBOX_FILES] as const;

/** The sandbox that applies: what was asked for, or else the limit. Throws if that is wider than the limit. */
export function narrowSandbox(
  limit: SandboxRequest | undefined,
  asked: SandboxRequest | "off" | undefined,
): SandboxRequest | undefined {
  if (asked === undefined) return limit;
  // Without a word about the network, the limit's applies.
  const given = asked === "off" ? undefined : { network: limit?.network, ...definedOf(asked) };
  if (isWithin(given, limit)) return given;
  throw new LimpetError(
    "BAD_OPTION",
    `The sandbox "${describeSandbox(given)}" is wider than a person allows here (${describeSandbox(limit)}). Omit sandbox, or ask for a narrower one.`,
  );
}

/** Whether a program in the first sandbox can do nothing that is impossible in the second. Undefined: no sandbox. */
export function isWithin(sandbox: SandboxRequest | undefined, limit: SandboxRequest | undefined): boolean {
  if (!limit) return true;
  const isFilesWithin = FILES.indexOf(sandbox?.files ?? "off") >= FILES.indexOf(limit.files);
  return isFilesWithin && (limit.network !== "off" || sandbox?.network === "off");
}

function definedOf({ files, network }: SandboxRequest): SandboxRequest {
  return network === undefined ? { files } : { files, network };
}
