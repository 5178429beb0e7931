import { LimpetError } from "../../../base/limpet-error.ts";
import type { EndReport } from "../../../linux/processes/kill-process-tree.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../../service/listing/session-name.ts";
import type { SessionService } from "../../../service/session-service.ts";
import type { Command } from "../../args/command.ts";
import { atArg, jsonArg } from "../../args/common-args.ts";
import { isOn, listOf } from "../../args/read-args.ts";
import { exitCodeOf, FAILED, OK } from "../../exit-codes.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printError, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const kill: Command = {
  name: "kill",
  description: "End sessions and everything they started, and delete their output.",
  args: {
    ids: { type: "positional", isOptional: true, isList: true, hint: "ID…", description: "Ids or names of sessions" },
    all: { type: "boolean", description: "All running sessions, of all projects" },
    force: { type: "boolean", short: "f", description: "Kill at once, without a grace period" },
    ...jsonArg("one result per session"),
    ...atArg,
  },
  examples: ["limpet kill dev", "limpet kill 7 8 dev", "limpet kill --force 7", "limpet kill --all"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const keys = await chosen(sessions, listOf(args, "ids"), { isAll: isOn(args, "all") });
      const outcomes = await endEach(sessions, keys, { force: isOn(args, "force") });
      if (isOn(args, "json")) printJson(outcomes.map(onTheWire));
      else if (outcomes.length === 0) print("No sessions are running.");
      else for (const outcome of outcomes) tell(outcome, { isOneOfMany: outcomes.length > 1 });
      return outcomes.map(codeOf).find((code) => code !== OK) ?? OK;
    }),
};

async function chosen(
  sessions: SessionService,
  keys: readonly string[],
  { isAll }: { readonly isAll: boolean },
): Promise<readonly string[]> {
  if (isAll === keys.length > 0)
    throw new LimpetError("BAD_OPTION", "kill needs session ids or --all, not both. Give one of them.");
  if (!isAll) return keys;
  return (await sessions.list({ ended: false, all: true })).map((session) => String(keyOf(session)));
}

type Outcome =
  | ({ readonly kind: "ended" } & SessionName & EndReport)
  | { readonly kind: "refused"; readonly key: string; readonly error: LimpetError };

interface EndOptions {
  readonly force: boolean;
}

/** In parallel: each may use its grace period. An unknown id does not stop the others. */
async function endEach(
  sessions: SessionService,
  keys: readonly string[],
  options: EndOptions,
): Promise<readonly Outcome[]> {
  const taken = new Set<SessionKey>();
  const outcomes = await Promise.all(
    keys.map(async (key): Promise<Outcome | undefined> => {
      try {
        const session = await sessions.find(key);
        const { id, name, place } = session;
        const own = keyOf(session);
        // The same session may be given by id and by name.
        if (taken.has(own)) return undefined;
        taken.add(own);
        const { report } = await sessions.close(own, options);
        return { kind: "ended", id, name, place, ...report };
      } catch (error) {
        if (error instanceof LimpetError) return { kind: "refused", key, error };
        throw error;
      }
    }),
  );
  return outcomes.filter((outcome) => outcome !== undefined);
}

function onTheWire(outcome: Outcome): object {
  if (outcome.kind === "refused") {
    const { key, error } = outcome;
    return { key, error: { code: error.code, message: error.message } };
  }
  const { kind, ...ended } = outcome;
  return ended;
}

function tell(outcome: Outcome, { isOneOfMany }: { readonly isOneOfMany: boolean }): void {
  if (outcome.kind === "refused") {
    printError(`${outcome.error.code}: ${outcome.error.message}`);
    return;
  }
  const who = isOneOfMany ? `${describeName(outcome)}: ` : "";
  const { ended, left } = outcome;
  print(`${who}${ended.length === 0 ? "Nothing was running." : `Ended: ${describeProcesses(ended)}`}`);
  if (left.length > 0) printError(`${who}Could not end: ${describeProcesses(left)}`);
}

function describeProcesses(processes: EndReport["left"]): string {
  return processes.map(({ name, pid }) => `${name} (${pid})`).join(", ");
}

function codeOf(outcome: Outcome): number {
  if (outcome.kind === "refused") return exitCodeOf(outcome.error);
  return outcome.left.length > 0 ? FAILED : OK;
}
