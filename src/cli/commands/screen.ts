import { randomUUID } from "node:crypto";
import { describeExit } from "../../base/exit.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import { colouredRows } from "../../screen/painting/coloured-rows.ts";
import { screenText } from "../../screen/screen-text.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { SessionIdentity } from "../../service/listing/session-state.ts";
import { readScreen } from "../../service/turn/simple-turns.ts";
import type { Command } from "../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../args/common-args.ts";
import { isOn, requiredText } from "../args/read-args.ts";
import { describeName } from "../print/describe-session.ts";
import { printError, printJson, writeDrawing, writeJsonLines, writeText } from "../print/print.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { followScreen } from "../view/follow-screen.ts";
import { readPersonScreen } from "../view/person-screen.ts";
import { watchScreen } from "../view/watch-screen.ts";
import { withHost } from "../with-host.ts";

export const screen: Command = {
  name: "screen",
  description: "Print a session's screen, once or whenever it changes.",
  args: {
    ...sessionArg,
    watch: {
      type: "boolean",
      short: "w",
      description: "Follow the screen until the program ends or you press Ctrl+C or q",
    },
    marks: {
      type: "boolean",
      short: "m",
      description: "Print plain text that marks highlights (⟦⟧) and the caret (‸)",
    },
    ...jsonArg("the snapshot; with --watch, one per line for each change"),
    ...atArg,
  },
  examples: ["limpet screen 7", "limpet screen 7 --watch", "limpet screen 7 | grep Error", "limpet screen 7 --marks"],
  run: (args) =>
    withHost(args, async (sessions) => {
      // A new caller each time: a known one would get only what has changed.
      const caller = `limpet screen ${randomUUID()}`;
      const session = await sessions.find(requiredText(args, "id"));
      const { id } = session;
      const isJson = isOn(args, "json");
      if (isOn(args, "watch")) {
        await requireOutsideSession(sessions, id);
        return isJson ? await stream(sessions, id, caller) : await watch(sessions, session);
      }
      const isColoured = !isJson && !isOn(args, "marks") && process.stdout.isTTY;
      // For scripts, the program's own screen; for people, with the commands of agents.
      if (isJson) return printJson((await readScreen(sessions, id, { caller, cells: false })).snapshot);
      const snapshot = await readPersonScreen(sessions, id);
      warnOfGaps(snapshot);
      const marked = { marks: isOn(args, "marks"), caret: isOn(args, "marks") };
      if (isColoured) await writeDrawing(`${coloured(snapshot)}\n`);
      else await writeText(`${screenText(snapshot, marked)}\n`);
    }),
};

/** The last screen stays in the terminal, as after a program that ran there. */
async function watch(sessions: HostClient, session: SessionIdentity): Promise<void> {
  const end = await watchScreen(sessions, session);
  if (!end) return;
  await writeDrawing(`${end.lastLines.join("\n")}\n`);
  printError(`[${describeName(session)} ${end.exit ? describeExit(end.exit) : "was lost with its host"}]`);
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
