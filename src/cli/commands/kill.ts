import { LimpetError } from "../../base/limpet-error.ts";
import type { EndReport } from "../../linux/end-tree.ts";
import type { SessionName, SessionService } from "../../service/session-service.ts";
import type { Command } from "../command.ts";
import { describeName } from "../describe.ts";
import { exitCodeOf, FAILED, OK } from "../exit-codes.ts";
import { isOn } from "../flags.ts";
import { print, printError, printJson } from "../print.ts";
import { jsonArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";
import type { Words } from "../words.ts";

export const kill: Command = {
  meta: { name: "kill", description: "End sessions and all that they started, and forget what they printed." },
  args: {
    ids: { type: "positional", required: true, valueHint: "ID…", description: "Ids or names of sessions" },
    force: { type: "boolean", alias: "f", description: "At once, without time to tidy up" },
    ...jsonArg("what became of each"),
  },
  takesWords: true,
  examples: ["limpet kill dev", "limpet kill 7 8 dev", "limpet kill --force 7"],
  run: ({ args, data }) =>
    withHost(async (sessions) => {
      const keys = (data as Words).others;
      const outcomes = await endEach(sessions, keys, { force: isOn(args, "force") });
      if (isOn(args, "json")) printJson(outcomes.map(onTheWire));
      else for (const outcome of outcomes) tell(outcome, { isOneOfMany: outcomes.length > 1 });
      return outcomes.map(codeOf).find((code) => code !== OK) ?? OK;
    }),
};

type Outcome =
  | ({ readonly kind: "ended" } & SessionName & EndReport)
  | { readonly kind: "refused"; readonly key: string; readonly error: LimpetError };

interface EndOptions {
  readonly force: boolean;
}

/** Side by side, for each may take its time to tidy up. One that is unknown keeps none of the others. */
async function endEach(
  sessions: SessionService,
  keys: readonly string[],
  options: EndOptions,
): Promise<readonly Outcome[]> {
  const taken = new Set<number>();
  const outcomes = await Promise.all(
    keys.map(async (key): Promise<Outcome | undefined> => {
      try {
        const { id, name } = await sessions.find(key);
        // By its id and by its name, say: gone after the first, it would be unknown to the second.
        if (taken.has(id)) return undefined;
        taken.add(id);
        const { report } = await sessions.close(id, options);
        return { kind: "ended", id, name, ...report };
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
  print(`${who}${ended.length === 0 ? "Nothing was left to end." : `Ended: ${listOf(ended)}`}`);
  if (left.length > 0) printError(`${who}Could not be ended: ${listOf(left)}`);
}

function listOf(processes: EndReport["left"]): string {
  return processes.map(({ name, pid }) => `${name} (${pid})`).join(", ");
}

function codeOf(outcome: Outcome): number {
  if (outcome.kind === "refused") return exitCodeOf(outcome.error);
  return outcome.left.length > 0 ? FAILED : OK;
}
