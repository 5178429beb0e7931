/** `limpet host run --join`: a host that is in a fleet. */
import { LimpetError } from "../../base/limpet-error.ts";
import { requireFleetName } from "../../fleet/subjects.ts";
import type { RunHostOptions } from "../../host/run-host.ts";
import type { ArgSpecs, Args } from "../args/command.ts";
import { durationOf, listOf, textOf, wordOf } from "../args/read-args.ts";
import { doorRules } from "../settings/fleet-setting.ts";
import { accessOf, proofArgs } from "./nats-args.ts";

export const joinArgs: ArgSpecs = {
  join: { type: "string", hint: "URL", description: "With run: join the fleet at this NATS server" },
  name: { type: "string", hint: "NAME", description: "With --join: the name of this host in the fleet" },
  label: { type: "string", hint: "LABEL", isList: true, description: "With --join: gpu, or zone=a. Repeatable" },
  people: {
    type: "string",
    hint: "DOOR",
    isList: true,
    description: "With --join: only what this door types counts as typed by a person. Repeatable. Default: all doors",
  },
  ...proofArgs,
  "journal-key": {
    type: "string",
    hint: "FILE",
    description: "With --join: copy the output of sessions to NATS, encrypted with this key of the fleet",
  },
  copies: {
    type: "string",
    hint: "all|asked",
    description: "With --journal-key: all sessions, or only those that ask for it. Default: all",
  },
  lease: { type: "string", hint: "TIME", isHidden: true, description: "For tests: how long its lease is valid" },
};

/** Undefined for a host that joins no fleet. */
export async function joinListener(args: Args, say: (text: string) => void): Promise<RunHostOptions["listener"]> {
  const url = textOf(args, "join");
  if (url === undefined) return undefined;
  const name = textOf(args, "name");
  if (name === undefined)
    throw new LimpetError("BAD_OPTION", "--join needs a name for this host. Add --name, such as --name gpu-1.");
  const [{ joinFleet }, { readJournalKey }] = await Promise.all([
    import("../../fleet/host/join-fleet.ts"),
    import("../../fleet/journals/journal-key.ts"),
  ]);
  const people = listOf(args, "people").map((door) => requireFleetName(door, "--people"));
  const keyFile = textOf(args, "journal-key");
  return joinFleet({
    access: accessOf(args, url, undefined),
    name,
    labels: listOf(args, "label"),
    rules: { ...doorRules(), people: people.length === 0 ? undefined : people },
    leaseMs: durationOf(args, "lease"),
    journalKey: keyFile === undefined ? undefined : readJournalKey(keyFile),
    copies: wordOf(args, "copies", ["all", "asked"]),
    onProblem: say,
  });
}
