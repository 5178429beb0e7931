import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describeAge } from "../../base/format/describe-duration.ts";
import { describeSandbox } from "../../base/sandbox-request.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { isOn } from "../args/read-args.ts";
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
import { stateDirectory } from "../settings/settings.ts";
import { withHost } from "../with-host.ts";

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
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet ls", "limpet ls --ended --json | jq '.[].name'"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const all = await sessions.list({ ended: isOn(args, "ended") });
      if (!sessions.isFar) noteDamaged();
      if (isOn(args, "json")) printJson(all);
      else if (all.length === 0) print("No sessions. Start one with: limpet start CMD");
      else print([...tableOf(all), ...describeGaps(all)].join("\n"));
    }),
};

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
  const { id, name, owner, waitingFor, ageMs, lastLine, sandbox } = session;
  return [
    String(id),
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
