/**
 * What a policy says about an act. Pure.
 *
 * Every command in the line is judged, with those that it runs itself, and the strictest decision wins: deny, then ask,
 * then allow. What limpet does not understand needs approval.
 */
import { posix } from "node:path";
import type { Act, InputAct } from "./act.ts";
import { CAUTIONS, type Caution } from "./caution/caution.ts";
import { isListed } from "./caution/variables.ts";
import { SHELLS } from "./caution/wrappers.ts";
import { type Examination, type ExaminedCommand, examine, examineSource } from "./examine.ts";
import type { Policy, PolicyLayer, Rule } from "./policy.ts";
import { alternatives, matchRule } from "./rules/match-rule.ts";
import { strictest, type Verdict, type VerdictReason, verdictOf } from "./verdict.ts";

export function judge(act: Act, policy: Policy): Verdict {
  if (policy.layers.length === 0) return { decision: "allow", reasons: [] };
  return verdictOf(act.kind === "input" ? judgeInput(act, policy) : judgeExamination(examine(act), policy));
}

/** Text typed into a program can be any command, so it needs a grant of its own. */
function judgeInput({ program, text }: InputAct, { layers }: Policy): readonly VerdictReason[] {
  const name = posix.basename(program).replace(/^-/, "");
  const grants = layers.map(({ file, input }): VerdictReason => {
    const decision = (Object.hasOwn(input, name) ? input[name] : undefined) ?? input["*"] ?? "ask";
    return { decision, rule: `input of ${file}`, part: name, why: "What is typed into a program can be any command." };
  });
  if (!SHELLS.has(name)) return grants;
  const denied = examineSource(text, name).commands.flatMap((each) =>
    layers.flatMap((layer) => ruleReasons(each, layer)),
  );
  return [...grants, ...denied.filter(({ decision }) => decision === "deny")];
}

function judgeExamination({ commands, cautions }: Examination, { layers }: Policy): readonly VerdictReason[] {
  return [
    ...commands.flatMap((command) => layers.flatMap((layer) => ruleReasons(command, layer))),
    ...commands.flatMap((command) => command.cautions.flatMap((caution) => cautionReasons(caution, layers, command))),
    ...cautions.flatMap((caution) => cautionReasons(caution, layers)),
  ];
}

function ruleReasons({ command, cautions }: ExaminedCommand, layer: PolicyLayer): readonly VerdictReason[] {
  const { words, text: part } = command;
  if (words.length === 0) return [];
  const matches = layer.rules.map((rule) => ({ rule, match: matchRule(rule, words) }));
  const sure = matches.filter(({ match }) => match === "yes").map(({ rule }) => ruleReason(rule, layer, part));
  const runsOthers = cautions.some(({ name }) => RUNS_OTHERS.has(name));
  const perhaps = matches
    .filter(({ rule, match }) => rule.decision !== "allow" && match !== "yes")
    .filter(({ rule, match }) => match === "maybe" || (runsOthers && mentions(rule, command.words.slice(1))))
    .map(({ rule }): VerdictReason => ({ ...ruleReason(rule, layer, part), decision: "ask", why: MAY_APPLY }));
  if (sure.length > 0 || (layer.scope === "project" && layer.default === "allow")) return [...sure, ...perhaps];
  return [...perhaps, { decision: layer.default, rule: `default of ${layer.file}`, part, why: "No rule covers it." }];
}

const MAY_APPLY = "Whether the rule applies is known only when it runs.";
const RUNS_OTHERS = new Set<string>(["wrapper", "interpreter", "option", "remote", "shell"]);

/** Whether a program that runs others is given the name of the rule's program, in whatever language. */
function mentions({ prefix }: Rule, words: ExaminedCommand["command"]["words"]): boolean {
  const names = new Set(words.flatMap(({ literal = "" }) => literal.split(/[^\w.+-]+/)));
  return alternatives(prefix[0] ?? []).some((name) => names.has(posix.basename(name)));
}

function ruleReason({ decision, why, line }: Rule, { file }: PolicyLayer, part: string): VerdictReason {
  return { decision, rule: `${file}:${line}`, part, why: why ?? `The rule says ${decision}.` };
}

/** A project's file can only narrow: it can make a caution stricter, but cannot lift one. */
function cautionReasons(
  caution: Caution,
  layers: readonly PolicyLayer[],
  about?: ExaminedCommand,
): readonly VerdictReason[] {
  const { name, part } = caution;
  const user = layers.find(({ scope }) => scope === "user");
  const project = layers.find(({ scope }) => scope === "project");
  const fromUser = user && isLifted(caution, user, about) ? "allow" : (user?.cautions[name] ?? "ask");
  const decision = strictest([fromUser, project?.cautions[name] ?? "allow"]);
  return decision === "allow" ? [] : [{ decision, rule: `caution ${name}`, part, why: `${capital(CAUTIONS[name])}.` }];
}

function isLifted(caution: Caution, { env, rules }: PolicyLayer, about: ExaminedCommand | undefined): boolean {
  const { variable } = caution;
  const isListedVariable = variable !== undefined && isListed(env, variable);
  return isListedVariable || rules.some((rule) => lifts(rule, caution, about));
}

function lifts(rule: Rule, { name, namedBy }: Caution, about: ExaminedCommand | undefined): boolean {
  if (rule.decision !== "allow" || !about || matchRule(rule, about.command.words) !== "yes") return false;
  return rule.accept.includes(name) || (namedBy !== undefined && rule.prefix.length >= namedBy);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
