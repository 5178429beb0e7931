import { LimpetError } from "../../base/limpet-error.ts";
import type { Args, Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn, listOf, requiredText, textOf } from "../args/read-args.ts";
import { OK } from "../exit-codes.ts";
import { natsArgs } from "../fleet/nats-args.ts";
import type { WatchAction } from "../fleet/watch-fleet.ts";
import type { FleetReport } from "../fleet/write-fleet.ts";
import { print, printJson } from "../print/print.ts";
import { requirePerson } from "../require-outside-session.ts";

const WATCH_ACTIONS: readonly WatchAction[] = ["status", "drain", "cordon", "uncordon", "events"];
const ACTIONS = ["init", "add", "revoke", ...WATCH_ACTIONS, "journal", "give-up", "quotas"];

export const fleet: Command = {
  name: "fleet",
  description:
    "Manage many machines that share one NATS server: their credentials, their state, and which of them take new sessions.",
  args: {
    action: { type: "positional", choices: ACTIONS, description: `One of ${ACTIONS.join(", ")}` },
    words: {
      type: "positional",
      isList: true,
      isOptional: true,
      hint: "WORD…",
      description:
        "init: a new directory. add, revoke: host or door, its name, and the directory. drain, cordon, uncordon: a host. journal: a host, or HOST/ID. give-up: a host. quotas: a file",
    },
    host: { type: "string", hint: "NAME", isList: true, description: "init: a machine that runs sessions. Repeatable" },
    door: {
      type: "string",
      hint: "NAME",
      isList: true,
      description: "init: a machine from which sessions are started and seen. Repeatable",
    },
    server: {
      type: "string",
      hint: "NAME",
      isList: true,
      description: "init: a name or address of the NATS server, for its certificate. Default: localhost",
    },
    expires: {
      type: "string",
      hint: "TIME",
      description: "add: how long the credentials are valid. Default: forever",
    },
    "journal-key": { type: "string", hint: "FILE", description: "journal: the key of the fleet's copies" },
    wait: { type: "boolean", description: "drain: wait until its sessions have ended" },
    ...natsArgs,
    ...jsonArg(),
  },
  examples: [
    "limpet fleet init ./fleet --server nats.example.org --host gpu-1 --host gpu-2 --door laptop",
    "limpet fleet add host gpu-3 ./fleet   # more of them, later",
    "limpet fleet add door desk ./fleet --expires 30d",
    "limpet fleet revoke door desk ./fleet   # its machine was lost",
    "limpet fleet status",
    "limpet fleet drain gpu-1 --wait   # before it is switched off",
    "limpet fleet events --json",
    "limpet fleet quotas quotas.json --creds ./fleet/operator.creds   # how many sessions each may run",
    "limpet fleet give-up gpu-1 --creds ./fleet/operator.creds   # it does not come back",
    "limpet fleet journal gpu-1/7 --journal-key ./fleet/journal.key   # output of a host that is gone",
  ],
  async run(args) {
    await requirePerson("limpet fleet");
    const action = requiredText(args, "action");
    const watch = WATCH_ACTIONS.find((known) => known === action);
    // Loaded only here: the others need no connection.
    if (watch) return await (await import("../fleet/watch-fleet.ts")).watchFleet(watch, args);
    if (action === "journal") return await (await import("../fleet/show-journal.ts")).showJournal(args);
    if (action === "give-up") return await (await import("../fleet/operate-fleet.ts")).giveUp(args);
    if (action === "quotas") return await (await import("../fleet/operate-fleet.ts")).quotas(args);
    const report = await reportOf(action, args);
    if (isOn(args, "json")) printJson(report.json);
    else print(report.text);
    return OK;
  },
};

async function reportOf(action: string, args: Args): Promise<FleetReport> {
  const { addReport, initReport, revokeReport } = await import("../fleet/write-fleet.ts");
  const words = listOf(args, "words");
  switch (action) {
    case "init": {
      const [directory, ...more] = words;
      if (directory === undefined || more.length > 0)
        throw new LimpetError("BAD_OPTION", "limpet fleet init needs one directory. Use: limpet fleet init DIR");
      const [hosts, doors, servers] = [listOf(args, "host"), listOf(args, "door"), listOf(args, "server")];
      return initReport(directory, { hosts, doors, servers });
    }
    case "add":
      return addReport(words, textOf(args, "expires"));
    case "revoke":
      return revokeReport(words);
    default:
      throw new LimpetError(
        "BAD_OPTION",
        `limpet fleet has no action ${JSON.stringify(action)}. Use one of: ${ACTIONS.join(", ")}.`,
      );
  }
}
