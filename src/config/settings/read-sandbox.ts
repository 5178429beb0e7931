/** The setting `sandbox`: what programs of agents may do by default, and the most that they can ask for. */
import type { Allowance } from "../../base/allowance.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { describeSandbox, type SandboxRequest } from "../../base/sandbox-request.ts";
import { narrowSandbox } from "../../safety/sandbox/narrow-sandbox.ts";
import { SANDBOX_REMEDY, readSandbox as sandboxOf } from "../../safety/sandbox/read-sandbox.ts";
import { badSetting, type GivenSetting } from "./bad-setting.ts";
import { isPair, type Pair, pairRemedy } from "./read-pair.ts";

const PAIR_REMEDY = pairRemedy('"read-only"', '"workspace"');

/** One sandbox for both, or `{ default, ceiling }`. */
export function readSandbox(given: GivenSetting): Allowance<SandboxRequest> {
  const { value } = given;
  if (isPair(value)) return readBoth(given, value);
  const sandbox = sandboxOf(value);
  if (sandbox) return { default: sandbox, ceiling: sandbox };
  throw badSetting(given, `has ${JSON.stringify(value)} for sandbox`, SANDBOX_REMEDY);
}

/** Like `readSandbox`; `off` takes a general sandbox away. */
export function readOwnSandbox(given: GivenSetting): Allowance<SandboxRequest> {
  return given.value === "off" ? { default: undefined, ceiling: undefined } : readSandbox(given);
}

function readBoth(given: GivenSetting, { default: usual, ceiling }: Pair): Allowance<SandboxRequest> {
  if (usual === undefined || ceiling === undefined)
    throw badSetting(given, "has a sandbox with only one of default and ceiling", PAIR_REMEDY);
  const [lower, most] = [readPart(given, usual), readPart(given, ceiling)];
  try {
    // Where the default says nothing, the ceiling applies.
    return { default: narrowSandbox(most, lower ?? "off"), ceiling: most };
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    const [has, allowed] = [describeSandbox(lower), describeSandbox(most)];
    throw badSetting(given, `has a default sandbox (${has}) that is wider than its ceiling (${allowed})`, PAIR_REMEDY);
  }
}

/** Undefined: no sandbox. */
function readPart(given: GivenSetting, value: unknown): SandboxRequest | undefined {
  const sandbox = value === "off" ? undefined : sandboxOf(value);
  if (sandbox || value === "off") return sandbox;
  throw badSetting(given, `has ${JSON.stringify(value)} for sandbox`, `Use "off". ${SANDBOX_REMEDY}`);
}
