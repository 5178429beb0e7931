import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describeAge } from "../../base/format/describe-duration.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { describeSandbox } from "../../base/sandbox-request.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import { describeSilent } from "../../tools/answer/describe-surroundings.ts";
import type { Args, Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { isOn, textOf } from "../args/read-args.ts";
import { fleetArgs } from "../fleet/nats-args.ts";
import {
  describeActivity,
  describeFolder,
  describeGaps,
  describeOutput,
  isRunning,
  stateOf,
} from "../print/describe-session.ts";
import { ownTerminalSize } from "../print/own-terminal-size.ts";
import { print, printError, printJson } from "../print/print.ts";
import { type Column, table } from "../print/table.ts";
import { placesSetting, stateDirectory } from "../settings/settings.ts";
import { withHostOrFleet, withPlaces } from "../with-host.ts";

const FOLDER_WIDTH = 16;
/** Only if a session has one. */
const SANDBOX: Column = { title: "SANDBOX", maxWidth: 32 };
const columnsOf = (hasSandbox: boolean): readonly Column[] => [
  { title: "ID", align: "right" },
  { title: "NAME", maxWidth: 20 },
  { title: "STATE", maxWidth: 12 },
  { title: "INPUT" },
  { title: "AGE", align: "right" },
  { title: "OUTPUT", align: "right" },
  { title: "OWNER", maxWidth: 14 },
  { title: "FOLDER", maxWidth: FOLDER_WIDTH },
  ...(hasSandbox ? [SANDBOX] : []),
  { title: "PROGRAM", maxWidth: 40, givesWay: true },
  { title: "LAST LINE" },
];

export const ls: Command = {
  name: "ls",
  description: "List the running sessions of all projects.",
  args: {
    ended: { type: "boolean", short: "a", description: "Include sessions that have ended and can still be read" },
    "all-places": { type: "boolean", short: "A", description: "Include the sessions at the places of config.json" },
    ...fleetArgs,
    ...jsonArg(),
    ...atArg,
  },
  examples: [
    "limpet ls",
    "limpet ls --ended --json | jq '.[].name'",
    "limpet ls --at build",
    "limpet ls --all-places",
    "limpet ls --fleet",
  ],
  run: (args) =>
    withChosen(args, async (sessions) => {
      const all = await sessions.list({ ended: isOn(args, "ended") });
      if (!sessions.isFar) noteDamaged();
      // On stderr, so that a script reads only the list.
      for (const silent of sessions.silentPlaces?.() ?? []) printError(describeSilent(silent));
      if (isOn(args, "json")) printJson(all);
      else if (all.length === 0) print("No sessions. Start one with: limpet start CMD");
      else print([...tableOf(all), ...describeGaps(all)].join("\n"));
    }),
};

async function withChosen<T>(args: Args, work: (sessions: HostClient) => Promise<T>): Promise<T> {
  if (!isOn(args, "all-places")) return await withHostOrFleet(args, work);
  if (isOn(args, "fleet"))
    throw new LimpetError("BAD_OPTION", "--fleet and --all-places cannot be combined. Leave one of them out.");
  if (textOf(args, "at") !== undefined)
    throw new LimpetError("BAD_OPTION", "--at and --all-places cannot be combined. Leave one of them out.");
  return await withPlaces(Object.keys(placesSetting()), work);
}

function tableOf(all: readonly SessionSummary[]): readonly string[] {
  const hasSandbox = all.some(({ sandbox }) => sandbox !== null);
  const rows = all.map((session) => rowOf(session, { hasSandbox }));
  return table(columnsOf(hasSandbox), rows, { maxWidth: terminalWidth() });
}

/** On stderr, so that a script reads only the list. */
function noteDamaged(): void {
  const folder = join(stateDirectory(), "damaged");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length === 0) return;
  const what = names.length === 1 ? "1 session has" : `${names.length} sessions have`;
  printError(`${what} a damaged record and cannot be listed: ${names.slice(0, 5).join(", ")}. See ${folder}`);
}

/** In a terminal, no line may wrap. */
function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? ownTerminalSize().cols : undefined;
}

function rowOf(session: SessionSummary, { hasSandbox }: { readonly hasSandbox: boolean }): readonly string[] {
  const { name, owner, waitingFor, ageMs, lastLine, sandbox } = session;
  return [
    String(keyOf(session)),
    name ?? "",
    stateOf(session),
    isRunning(session) ? (waitingFor ?? "") : "",
    describeAge(ageMs),
    describeOutput(session),
    owner?.caller ?? "",
    describeFolder(owner?.project ?? "", { home: homedir(), maxWidth: FOLDER_WIDTH }),
    ...(hasSandbox ? [sandbox ? describeSandbox(sandbox) : ""] : []),
    describeActivity(session),
    lastLine,
  ];
}
