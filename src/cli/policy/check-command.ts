/** What the policy says about a command: the parse, everything that applied, and the verdict. */
import { LimpetError } from "../../base/limpet-error.ts";
import { loadPolicy } from "../../config/load-policy.ts";
import type { Act, InputAct } from "../../safety/policy/act.ts";
import { type Examination, type ExaminedCommand, examine } from "../../safety/policy/examine.ts";
import { judge } from "../../safety/policy/judge.ts";
import type { Verdict } from "../../safety/policy/verdict.ts";
import { FAILED, OK } from "../exit-codes.ts";
import { visibleLine } from "../print/visible.ts";
import type { PolicyReport, PolicySettings } from "./policy-report.ts";

interface CheckRequest extends PolicySettings {
  readonly shell: string;
  /** The program that the command is typed into. */
  readonly input: string | undefined;
}

/** One word is a command line for the shell. Several words are a program and its arguments. */
export function checkCommand(words: readonly string[], request: CheckRequest): PolicyReport {
  const act = actOf(words, request);
  const policy = loadPolicy(request);
  const verdict = judge(act, policy);
  const parse = act.kind === "input" ? { commands: [], cautions: [] } : examine(act);
  const note = policy.layers.length === 0 ? ["There is no policy file, so everything is allowed."] : [];
  return {
    text: [...describeParse(parse), ...describeReasons(verdict), ...note, `Verdict: ${verdict.decision}`].join("\n"),
    json: { ...verdict, ...parse },
    exitCode: verdict.decision === "allow" ? OK : FAILED,
  };
}

function actOf([first, ...rest]: readonly string[], { shell, input, cwd }: CheckRequest): Act {
  if (first === undefined)
    throw new LimpetError("BAD_OPTION", "limpet policy check needs a command. Put it into quotes.");
  if (input !== undefined)
    return { kind: "input", program: input, text: [first, ...rest].join(" ") } satisfies InputAct;
  if (rest.length > 0) return { kind: "program", program: first, args: rest, cwd, env: {} };
  return { kind: "command", command: first, shell, cwd, env: {}, isShared: false, definedNames: [] };
}

function describeParse({ commands }: Examination): readonly string[] {
  return commands.length === 0 ? [] : ["Commands:", ...commands.map(describeCommand), ""];
}

function describeCommand({ command, via }: ExaminedCommand): string {
  const words = command.words.map(({ literal, text }) => literal ?? `⟨${text}⟩`);
  const run = visibleLine(words.length > 0 ? words.join(" ") : command.text);
  const notes = [...command.places, ...(via.length > 0 ? [`run by ${visibleLine(via.at(-1) ?? "")}`] : [])];
  return `  ${run}${notes.length > 0 ? `  (${notes.join(", ")})` : ""}`;
}

function describeReasons({ reasons }: Verdict): readonly string[] {
  if (reasons.length === 0) return [];
  const lines = reasons.map(
    ({ decision, rule, part, why }) => `  ${decision.padEnd(5)}  ${visibleLine(part)}\n         ${rule}: ${why}`,
  );
  return ["Applied:", ...lines, ""];
}
