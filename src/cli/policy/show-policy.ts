/** The policy as it is in force, and whether its examples pass. */
import { loadPolicy } from "../../config/load-policy.ts";
import type { PolicyLayer, Rule } from "../../safety/policy/policy.ts";
import { checkExamples } from "../../safety/policy/rules/check-examples.ts";
import { OK } from "../exit-codes.ts";
import type { PolicyReport, PolicySettings } from "./policy-report.ts";

export function showPolicy(settings: PolicySettings): PolicyReport {
  const { layers } = loadPolicy(settings);
  const text = layers.length === 0 ? noPolicy(settings) : layers.map(describeLayer).join("\n\n");
  return { text, json: { layers }, exitCode: OK };
}

/** A file whose examples fail cannot be loaded, so loading it is the test. */
export function testPolicy(settings: PolicySettings): PolicyReport {
  const { layers } = loadPolicy(settings);
  const files = layers.map(({ file, rules }) => ({ file, rules: rules.length, examples: checkExamples(rules) }));
  const lines = files.map(({ file, rules, examples }) => {
    const passing = examples === 1 ? "1 example passes" : `${examples} examples pass`;
    return `${file}: ${rules} ${rules === 1 ? "rule" : "rules"}, ${passing}`;
  });
  return { text: lines.length === 0 ? noPolicy(settings) : lines.join("\n"), json: { files }, exitCode: OK };
}

function noPolicy({ userFile, projectFile }: PolicySettings): string {
  return `There is no policy: neither ${userFile} nor ${projectFile} exists. Everything is allowed.`;
}

function describeLayer({ file, scope, default: other, input, env, cautions, rules }: PolicyLayer): string {
  const named = (of: object) => Object.entries(of).map(([name, decision]) => `${name} ${decision}`);
  return [
    `${file} (${scope})`,
    ...rules.map(describeRule),
    `  otherwise: ${other}`,
    `  input: ${named(input).join(", ")}`,
    ...(env.length > 0 ? [`  variables: ${env.join(", ")}`] : []),
    ...(Object.keys(cautions).length > 0 ? [`  cautions: ${named(cautions).join(", ")}`] : []),
  ].join("\n");
}

function describeRule({ prefix, decision, why, accept, line }: Rule): string {
  const words = prefix.map((word) => (typeof word === "string" ? word : `{${word.join("|")}}`)).join(" ");
  const notes = [...(accept.length > 0 ? [`accepts ${accept.join(", ")}`] : []), ...(why ? [why] : [])];
  return `  ${decision.padEnd(5)}  ${words}${notes.length > 0 ? `  # ${notes.join("; ")}` : ""}  (line ${line})`;
}
