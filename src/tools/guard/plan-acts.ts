/** What a turn is about to do: as a policy judges it, and as a person is shown it. */
import { basename, resolve } from "node:path";
import { workingDirectory } from "../../base/working-directory.ts";
import type { Act } from "../../safety/policy/act.ts";
import { narrowSandbox } from "../../safety/sandbox/narrow-sandbox.ts";
import type { ActFacts, ApprovalAct } from "../../service/approvals/approval.ts";
import { isFreeInput } from "../../service/approvals/is-free-input.ts";
import { textOfInput, textOfTurn } from "../../service/approvals/text-of-turn.ts";
import { typedCommand } from "../../service/approvals/typed-command.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { RunRequest, StartRequest } from "../../service/turn/start-request.ts";
import type { TurnInput } from "../../service/turn/turn-request.ts";
import { defaultShell } from "../../transport/env/child-env.ts";
import { placeOfTurn } from "../args/place.ts";
import type { GuardContext, GuardedTurn } from "./guard.ts";

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
  const place = placeOfTurn(turn.place, turn);
  const where: Where = { within: context.within, place, text };
  if (on.kind === "start") {
    const planned = planStart(on.start, where);
    return input ? [planned, planInput(input, undefined, planned.shown)] : [planned];
  }
  if (on.kind === "run") {
    const { key } = parseSessionKey(on.run.shell);
    const shell = place === null ? key : `${place}/${key}`;
    const facts = await sessions.approvals.facts({ caller, to: "shell", key: shell });
    return [planRun(on.run, facts, where)];
  }
  if (on.kind === "several" || !input) return [];
  const facts = await sessions.approvals.facts({ caller, to: "session", key: on.key });
  const shown = facts && { ...shownOf(facts), kind: "input" as const, text, env: {}, ...placed(where) };
  return facts && shown ? [planInput(input, facts, shown)] : [];
}

interface Where extends Pick<GuardContext, "within"> {
  /** Null: here. */
  readonly place: string | null;
  readonly text: string;
}

/** The shell of a user elsewhere is not known. */
const ANY_SHELL = "/bin/bash";

function shellAt({ place }: Where): string {
  return place === null ? defaultShell() : ANY_SHELL;
}

/** What a directory is relative to elsewhere is not known. */
function directoryAt({ place }: Where, cwd: string | undefined): string {
  return place === null ? resolve(workingDirectory(), cwd ?? ".") : (cwd ?? "~");
}

function placed({ place }: Where): { readonly place?: string } {
  return place === null ? {} : { place };
}

function planStart(start: StartRequest, where: Where): PlannedAct {
  const { within, text } = where;
  const { command, program = "", args = [], shell = shellAt(where) } = start;
  const env = { ...start.env, ...shownSecrets(start.secretEnv) };
  const cwd = directoryAt(where, start.cwd);
  const sandbox = narrowSandbox(within, start.sandbox) ?? null;
  const shown = { text, session: null, directory: cwd, env, sandbox, ...placed(where) } as const;
  if (command === undefined) {
    return { act: { kind: "program", program, args, cwd, env }, shown: { ...shown, kind: "program", program } };
  }
  const act = { kind: "command", command, shell, cwd, env, isShared: false, definedNames: [] } as const;
  return { act, shown: { ...shown, kind: "command", program: shell } };
}

function planRun(run: RunRequest, facts: ActFacts | null, where: Where): PlannedAct {
  const { within, text } = where;
  const { fresh, stdin } = run;
  const env = { ...run.env, ...shownSecrets(fresh?.secretEnv) };
  const shell = facts ? (facts.shell ?? facts.reader) : (fresh?.shell ?? shellAt(where));
  const cwd = (run.cwd === undefined ? facts?.directory : undefined) ?? directoryAt(where, run.cwd);
  const sandbox = facts ? facts.sandbox : (narrowSandbox(within, fresh?.sandbox) ?? null);
  const { isShared = false, definedNames = [], session = null } = facts ?? {};
  const command = stdin ? withInput(run.command, stdin) : run.command;
  return {
    act: { kind: "command", command, shell, cwd, env, isShared, definedNames },
    shown: { kind: "command", text, program: shell, session, directory: cwd, env, sandbox, ...placed(where) },
  };
}

/** The variables that get secrets, with the names of these. */
function shownSecrets(secretEnv: StartRequest["secretEnv"] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(secretEnv).map(([name, secret]) => [name, `⟨secret ${secret}⟩`]));
}

/** As a here-document of a shell, so that commands in the input of a shell or an interpreter are judged, too. */
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
