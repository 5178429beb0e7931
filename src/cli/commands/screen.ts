import { randomUUID } from "node:crypto";
import { describeExit, type Exit } from "../../base/exit.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import { colouredRows } from "../../screen/painting/coloured-rows.ts";
import { screenText } from "../../screen/screen-text.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { SessionIdentity } from "../../service/listing/session-state.ts";
import { readScreen } from "../../service/turn/simple-turns.ts";
import type { ScreenView } from "../../service/turn/turn-answer.ts";
import type { Args, Command } from "../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../args/common-args.ts";
import { durationOf, isOn, requiredText, textOf } from "../args/read-args.ts";
import { DEADLINE, ENDED, OK } from "../exit-codes.ts";
import { describeName } from "../print/describe-session.ts";
import { printError, printJson, writeDrawing, writeJsonLines, writeText } from "../print/print.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { followScreen } from "../view/follow-screen.ts";
import { readPersonScreen } from "../view/person-screen.ts";
import { watchScreen } from "../view/watch-screen.ts";
import { withHost } from "../with-host.ts";

export const screen: Command = {
  name: "screen",
  description: "Print a session's screen: now, once it shows something, or whenever it changes.",
  args: {
    ...sessionArg,
    watch: {
      type: "boolean",
      short: "w",
      description: "Follow the screen until the program ends or you press Ctrl+C or q",
    },
    until: { type: "string", short: "u", hint: "REGEX", description: "Wait until the screen shows a match" },
    timeout: {
      type: "string",
      short: "t",
      hint: "TIME",
      description: "With --until: give up after this long, print the screen and exit with 4",
    },
    marks: {
      type: "boolean",
      short: "m",
      description: "Print plain text that marks highlights (⟦⟧) and the caret (‸)",
    },
    ...jsonArg("the snapshot; with --watch, one per line for each change"),
    ...atArg,
  },
  examples: [
    "limpet screen 7",
    "limpet screen 7 --watch",
    "limpet screen 7 --until 'Save changes' --timeout 30",
    "limpet screen 7 | grep Error",
    "limpet screen 7 --marks",
  ],
  run: (args) =>
    withHost(args, async (sessions) => {
      const wish = wishOf(args);
      // A new caller each time: a known one would get only what has changed.
      const caller = `limpet screen ${randomUUID()}`;
      const session = await sessions.find(requiredText(args, "id"));
      const { id } = session;
      const isJson = isOn(args, "json");
      if (isOn(args, "watch")) {
        await requireOutsideSession(sessions, id);
        return isJson ? await stream(sessions, id, caller) : await watch(sessions, session);
      }
      const found = wish && (await waitForText(sessions, session, { ...wish, caller, cells: !isJson }));
      // For scripts, the program's own screen; for people, with the commands of agents.
      if (isJson) printJson((found ?? (await readScreen(sessions, id, { caller, cells: false }))).snapshot);
      else await show(found?.snapshot ?? (await readPersonScreen(sessions, id)), { hasMarks: isOn(args, "marks") });
      return found?.code ?? OK;
    }),
};

interface Wish {
  readonly until: string;
  readonly deadlineMs: number | undefined;
}

/** Undefined: no wait. */
function wishOf(args: Args): Wish | undefined {
  const [until, deadlineMs] = [textOf(args, "until"), durationOf(args, "timeout")];
  if (until === undefined && deadlineMs !== undefined)
    throw new LimpetError("BAD_OPTION", "--timeout is the limit of --until, which is missing. Give both or neither.");
  if (until !== undefined && isOn(args, "watch"))
    throw new LimpetError("BAD_OPTION", "--until and --watch cannot be combined. Give one of them.");
  return until === undefined ? undefined : { until, deadlineMs };
}

/** The program's own screen, which is searched, and the exit code. */
async function waitForText(
  sessions: HostClient,
  session: SessionIdentity,
  { until, deadlineMs, caller, cells }: Wish & { readonly caller: string; readonly cells: boolean },
): Promise<{ readonly snapshot: Snapshot; readonly code: number }> {
  const turn = await sessions.turn({
    caller,
    on: { kind: "session", key: session.id },
    wait: { kind: "screen", until, ...(deadlineMs === undefined ? {} : { deadlineMs }) },
    read: { kind: "screen", cells },
  });
  const { snapshot, reason } = turn.screen as ScreenView;
  if (reason === "matched") return { snapshot, code: OK };
  const isLate = reason === "deadline";
  const shown = describeName(session);
  if (isLate) printError(`Timed out: the screen of ${shown} does not show ${JSON.stringify(until)}.`);
  else printError(`${shown} ${describeEnd(turn.session)}. Its screen does not show ${JSON.stringify(until)}.`);
  return { snapshot, code: isLate ? DEADLINE : ENDED };
}

/** With colours in a terminal. */
async function show(snapshot: Snapshot, { hasMarks }: { readonly hasMarks: boolean }): Promise<void> {
  warnOfGaps(snapshot);
  if (!hasMarks && process.stdout.isTTY) await writeDrawing(`${coloured(snapshot)}\n`);
  else await writeText(`${screenText(snapshot, { marks: hasMarks, caret: hasMarks })}\n`);
}

/** The last screen stays in the terminal, as after a program that ran there. */
async function watch(sessions: HostClient, session: SessionIdentity): Promise<void> {
  const end = await watchScreen(sessions, session);
  if (!end) return;
  await writeDrawing(`${end.lastLines.join("\n")}\n`);
  printError(`[${describeName(session)} ${describeEnd(end)}]`);
}

function describeEnd({ exit }: { readonly exit: Exit | null | undefined }): string {
  return exit ? describeExit(exit) : "was lost with its host";
}

async function stream(sessions: HostClient, id: number, caller: string): Promise<void> {
  const { signal } = new AbortController();
  for await (const { snapshot } of followScreen(sessions, id, { caller, cells: false, signal })) {
    if (!(await writeJsonLines([snapshot]))) return;
  }
}

/** Without the blank rows at the end. */
function coloured(snapshot: Snapshot): string {
  const rows = colouredRows(snapshot);
  return rows.slice(0, rows.findLastIndex((row) => row !== "") + 1).join("\n");
}

function warnOfGaps({ missedBytes }: Snapshot): void {
  if (missedBytes > 0) printError(`Incomplete: ${missedBytes} bytes of older output were dropped.`);
}
