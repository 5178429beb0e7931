import { describeClock, describeDuration } from "../../base/format/describe-duration.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import { outcomeOf } from "../../record/command-lines.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import { readOutput } from "../../service/turn/simple-turns.ts";
import type { LoggedCommand } from "../../session/command-log.ts";
import type { Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { isOn, textOf } from "../args/read-args.ts";
import { describeName } from "../print/describe-session.ts";
import { ownTerminalSize } from "../print/own-terminal-size.ts";
import { print, printJson, writeText } from "../print/print.ts";
import { type Column, table } from "../print/table.ts";
import { withHost } from "../with-host.ts";

/** About a megabyte of text. */
const MAX_TOKENS = 250_000;

const COLUMNS: readonly Column[] = [
  { title: "ID", align: "right" },
  { title: "#", align: "right" },
  { title: "TIME" },
  { title: "EXIT", align: "right" },
  { title: "TOOK", align: "right" },
  { title: "CALLER", maxWidth: 20 },
  { title: "DIRECTORY", maxWidth: 40, givesWay: true },
  { title: "COMMAND" },
];

export const history: Command = {
  name: "history",
  description: "List the commands that agents ran in shells, or print the output of one of them.",
  args: {
    id: { type: "positional", isOptional: true, description: "Id or name of a shell. Default: all shells" },
    number: { type: "positional", isOptional: true, description: "Print the output of this command" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet history", "limpet history 7", "limpet history 7 12", "limpet history 7 --json | jq '.[].command'"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const [key, number] = [textOf(args, "id"), textOf(args, "number")];
      const shells = key === undefined ? await sessions.list({ ended: true, all: true }) : [await sessions.find(key)];
      const ran = (await Promise.all(shells.map((shell) => commandsOf(sessions, shell)))).flat();
      if (number !== undefined) return await showOutput(sessions, find(ran, number), { isJson: isOn(args, "json") });
      if (isOn(args, "json")) printJson(ran);
      else if (ran.length === 0) print("No commands. Agents run them with the tool run.");
      else print(linesOf(ran).join("\n"));
    }),
};

interface RanCommand extends LoggedCommand, Pick<SessionName, "id" | "place"> {}

async function commandsOf(sessions: HostClient, { id, place }: SessionName): Promise<readonly RanCommand[]> {
  return (await sessions.history(id)).map((command) => ({ id, place, ...command }));
}

function find(ran: readonly RanCommand[], number: string): RanCommand {
  const found = ran.find((command) => String(command.number) === number);
  if (found) return found;
  const [first, last] = [ran.at(0)?.number, ran.at(-1)?.number];
  const known = first === undefined ? "This session has none." : `Use one from ${first} to ${last}.`;
  throw new LimpetError("BAD_OPTION", `Unknown command number ${JSON.stringify(number)}. ${known}`);
}

async function showOutput(
  sessions: HostClient,
  command: RanCommand,
  { isJson }: { readonly isJson: boolean },
): Promise<void> {
  const { id, place, from, to } = command;
  const range = { from, ...(to === null ? {} : { to }) };
  const { text } = await readOutput(sessions, id, { kind: "text", ...range, maxTokens: MAX_TOKENS, fold: false });
  if (isJson) return printJson({ ...command, output: text });
  await writeText(`❯ ${command.command}\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}`);
  print(`[${describeName({ id, name: null, place })}: ${outcomeOf(command)}]`);
}

function linesOf(ran: readonly RanCommand[]): readonly string[] {
  const rows = ran.map(({ id, place, number, startedAt, exitCode, durationMs, caller, cwd, command }) => [
    String(keyOf({ id, place })),
    String(number),
    describeClock(startedAt),
    exitCode === null ? "" : String(exitCode),
    durationMs === null ? "" : describeDuration(durationMs),
    caller,
    cwd,
    command,
  ]);
  return table(COLUMNS, rows, process.stdout.isTTY ? { maxWidth: ownTerminalSize().cols } : {});
}
