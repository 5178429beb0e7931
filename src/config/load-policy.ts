/** Loads the policy of a user and a project. It loads the parser, too, so import it only where something is judged. */
import { lstatSync } from "node:fs";
import { LimpetError } from "../base/limpet-error.ts";
import type { Policy, PolicyLayer } from "../safety/policy/policy.ts";
import { parsePolicy } from "../safety/policy/rules/parse-policy.ts";
import { textOf } from "./edit-policy.ts";
import { readJsonTree } from "./jsonc/read-jsonc.ts";
import type { PolicyFiles } from "./policy-files.ts";
import type { LinkRule } from "./read-plain-file.ts";

/**
 * Reads the files that exist; without any, the policy allows everything. Throws `BAD_POLICY` with the file and the line
 * of a mistake.
 */
export function loadPolicy({ userFile, projectFile }: Partial<PolicyFiles>): Policy {
  const layers = [loadLayer(userFile, "user"), loadLayer(projectFile, "project")];
  return { layers: layers.filter((layer) => layer !== undefined) };
}

function loadLayer(file: string | undefined, scope: PolicyLayer["scope"]): PolicyLayer | undefined {
  const text = file === undefined ? undefined : contentOf(file, scope === "user" ? "follow" : "refuse");
  if (file === undefined || text === undefined) return undefined;
  try {
    return parsePolicy(readJsonTree(text), { file, scope });
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    throw new LimpetError("BAD_POLICY", `${file}: ${cause.message}`, { cause });
  }
}

/** A link that leads nowhere was meant to be a policy, so it is an error. */
function contentOf(file: string, links: LinkRule): string | undefined {
  const text = textOf(file, links);
  if (text === undefined && lstatSync(file, { throwIfNoEntry: false }))
    throw new LimpetError("BAD_POLICY", `${file} is a link to a file that does not exist. Fix it or remove it.`);
  return text;
}
