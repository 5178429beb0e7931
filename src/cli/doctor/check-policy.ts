import { LimpetError } from "../../base/limpet-error.ts";
import type { PolicyFiles } from "../../config/policy-files.ts";
import type { PolicyLayer } from "../../safety/policy/policy.ts";
import type { Finding } from "./finding.ts";

/** Reads the rules of the user and of the project, with their examples, as a server does before each act. */
export async function checkPolicy(files: Partial<PolicyFiles>): Promise<Finding> {
  const check = "policy.json";
  try {
    const { loadPolicy } = await import("../../config/load-policy.ts");
    const { layers } = loadPolicy(files);
    if (layers.length === 0) {
      return {
        check,
        verdict: "ok",
        what: "there is none",
        meaning: "Agents may run everything that the sandbox allows.",
      };
    }
    const rules = layers.map((layer) => describeLayer(layer)).join(", ");
    return { check, verdict: "ok", what: rules, meaning: "limpet checks agents' commands against these rules." };
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    return { check, verdict: "fail", what: error.message, meaning: "Agents can run nothing until it is fixed." };
  }
}

function describeLayer({ file, rules }: PolicyLayer): string {
  return `${file} (${rules.length} ${rules.length === 1 ? "rule" : "rules"})`;
}
