/** What a turn is about to do: as a policy judges it, and as a person is shown it. */
import { basename, resolve } from "node:path";
import { workingDirectory } from "../../base/working-directory.ts";
import type { Act } from "../../safety/policy/act.ts";
import { narrowSandbox } from "../../safety/sandbox/narrow-sandbox.ts";
import type { ActFacts, ApprovalAct } from "../../service/approvals/approval.ts";
import { textOfInput, textOfTurn } from "../../service/approvals/text-of-turn.ts";
import type { RunRequest, StartRequest } from "../../service/turn/start-request.ts";
import type { TurnInput } from "../../service/turn/turn-request.ts";
import { defaultShell } from "../../transport/env/child-env.ts";
import { isFreeInput } from "./free-input.ts";
import type { GuardContext, GuardedTurn } from "./guard.ts";
import { typedCommand } from "./typed-command.ts";

export interface PlannedAct {
  readonly act: Act;
  readonly shown: ApprovalAct;
}

/** False: the turn starts nothing and types nothing. */
export function isAct({ on, input }: GuardedTurn): boolean {
  return (
    on.kind === "start" ||
    on.kind === "run" ||
    (input !== undefined && (input.secret !== undefined || !isFreeInput(input.strokes)))
  );
}

/** Everything that a turn does, in the order in which it does it. */
export async function planActs(turn: GuardedTurn, context: GuardContext): Promise<readonly PlannedAct[]> {
  const { on, input } = turn;
  const { caller, sessions } = context;
  const text = textOfTurn(turn);
  if (on.kind === "start") {
    const planned = planStart(on.start, context, text);
    return input ? [planned, planInput(input, undefined, planned.shown)] : [planned];
  }
  if (on.kind === "run") {
    const facts = await sessions.approvals.facts({ caller, to: "shell", key: on.run.shell });
    return [planRun(on.run, facts, context, text)];
  }
  if (on.kind === "several" || !input) return [];
  const facts = await sessions.approvals.facts({ caller, to: "session", key: on.key });
  return facts ? [planInput(input, facts, { ...shownOf(facts), kind: "input", text, env: {} })] : [];
}

function planStart(start: StartRequest, { within }: GuardContext, text: string): PlannedAct {
  const { command, program = "", args = [], shell = defaultShell(), secretEnv = {} } = start;
  const secrets = Object.entries(secretEnv).map(([name, secret]) => [name, `⟨secret ${secret}⟩`]);
  const env: Readonly<Record<string, string>> = { ...start.env, ...Object.fromEntries(secrets) };
  const cwd = resolve(workingDirectory(), start.cwd ?? ".");
  const sandbox = narrowSandbox(within, start.sandbox) ?? null;
  const shown = { text, session: null, directory: cwd, env, sandbox } as const;
  if (command === undefined) {
    return { act: { kind: "program", program, args, cwd, env }, shown: { ...shown, kind: "program", program } };
  }
  const act = { kind: "command", command, shell, cwd, env, isShared: false, definedNames: [] } as const;
  return { act, shown: { ...shown, kind: "command", program: shell } };
}

function planRun(run: RunRequest, facts: ActFacts | null, { within }: GuardContext, text: string): PlannedAct {
  const { env = {}, fresh, stdin } = run;
  const shell = facts ? (facts.shell ?? facts.reader) : (fresh?.shell ?? defaultShell());
  const cwd = run.cwd === undefined ? (facts?.directory ?? workingDirectory()) : resolve(workingDirectory(), run.cwd);
  const sandbox = facts ? facts.sandbox : (narrowSandbox(within, fresh?.sandbox) ?? null);
  const { isShared = false, definedNames = [], session = null } = facts ?? {};
  const command = stdin ? withInput(run.command, stdin) : run.command;
  return {
    act: { kind: "command", command, shell, cwd, env, isShared, definedNames },
    shown: { kind: "command", text, program: shell, session, directory: cwd, env, sandbox },
  };
}

/** As a shell would write it: a program that takes its commands from its input gets them there. */
function withInput(command: string, stdin: string): string {
  const end = `INPUT_${crypto.randomUUID().slice(0, 8)}`;
  return `{ ${command}\n} <<'${end}'\n${stdin}\n${end}`;
}

function planInput({ strokes, secret }: TurnInput, facts: ActFacts | undefined, shown: ApprovalAct): PlannedAct {
  const command = facts?.shell && secret === undefined ? typedCommand(strokes) : undefined;
  if (facts && command !== undefined) {
    const { shell, reader, directory, definedNames } = facts;
    const cwd = directory ?? workingDirectory();
    return {
      act: { kind: "command", command, shell: shell ?? reader, cwd, env: {}, isShared: true, definedNames },
      shown,
    };
  }
  const program = facts?.reader ?? basename(shown.program);
  return { act: { kind: "input", program, text: textOfInput({ strokes, secret }) }, shown };
}

function shownOf({ reader, session, directory, sandbox }: ActFacts) {
  return { program: reader, session, directory, sandbox };
}
