/** Pure: a sandbox from data that a person or a client wrote. */
import { inspect } from "node:util";
import { LimpetError } from "../../base/limpet-error.ts";
import { typeName } from "../../base/require-env.ts";
import {
  SANDBOX_FILES,
  SANDBOX_KEEPERS,
  SANDBOX_NETWORKS,
  type SandboxNetwork,
  type SandboxRequest,
} from "../../base/sandbox-request.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { parseAllowedHost } from "./network/allowed-host.ts";

/** For the remedy of an error. */
export const SANDBOX_REMEDY: string =
  `Use ${SANDBOX_FILES.map((name) => JSON.stringify(name)).join(", ")}, or an object such as ` +
  '{ "files": "workspace", "network": "off" } or { "files": "workspace", "network": ["*.example.com"] }.';

const MAX_ENTRIES = 1_000;
const MAX_SHOWN = 100;
const FIELDS = ["files", "network", "allowChanges", "with"];

/** Refuses what is not a sandbox: a mistake in it would give a program more rights than were meant. */
export function requireSandbox(value: unknown): SandboxRequest | "off" {
  const sandbox = value === "off" ? value : readSandbox(value);
  if (sandbox) return sandbox;
  throw new LimpetError("BAD_OPTION", `sandbox is ${shown(value)}, which is not a sandbox. ${SANDBOX_REMEDY}`);
}

function shown(value: unknown): string {
  if (typeof value !== "string" && typeName(value) !== "object") return typeName(value);
  return quoteLine(typeof value === "string" ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY }), {
    maxChars: MAX_SHOWN,
  });
}

/** Undefined if it is not a sandbox. A word stands for its files alone. */
export function readSandbox(value: unknown): SandboxRequest | undefined {
  const given = typeof value === "string" ? { files: value } : value;
  return isSandboxRequest(given) ? given : undefined;
}

export function isSandboxRequest(value: unknown): value is SandboxRequest {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { files, network, allowChanges, with: keeper } = value as Record<keyof SandboxRequest, unknown>;
  return (
    isOneOf(SANDBOX_FILES, files) &&
    (network === undefined || isNetwork(network)) &&
    (allowChanges === undefined || isTexts(allowChanges)) &&
    (keeper === undefined || isOneOf(SANDBOX_KEEPERS, keeper)) &&
    Object.keys(value).every((key) => FIELDS.includes(key))
  );
}

function isNetwork(value: unknown): value is SandboxNetwork {
  if (isOneOf(SANDBOX_NETWORKS, value)) return true;
  return isTexts(value) && value.every((entry) => parseAllowedHost(entry) !== undefined);
}

function isOneOf(known: readonly string[], value: unknown): boolean {
  return typeof value === "string" && known.includes(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_ENTRIES && value.every((each) => typeof each === "string");
}
