import { randomUUID } from "node:crypto";
import { describeExit } from "../../base/exit.ts";
import type { HostClient } from "../../host/host-client.ts";
import { screenText } from "../../screen/screen-text.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import { readScreen } from "../../service/simple-turns.ts";
import type { Command } from "../command.ts";
import { describeName } from "../describe.ts";
import { isOn } from "../flags.ts";
import { printError, printJson, writeOut } from "../print.ts";
import { requireElsewhere } from "../require-elsewhere.ts";
import { colouredRows } from "../screen/coloured-rows.ts";
import { followScreen } from "../screen/follow-screen.ts";
import { watchScreen } from "../screen/watch-screen.ts";
import { jsonArg, sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";

export const screen: Command = {
  meta: { name: "screen", description: "Print what a session shows on its screen, once or as it changes." },
  args: {
    ...sessionArg,
    watch: { type: "boolean", alias: "w", description: "Follow it until the program ends or you press Ctrl+C" },
    marks: {
      type: "boolean",
      alias: "m",
      description: "As text that shows what is highlighted (⟦⟧) and the caret (‸)",
    },
    ...jsonArg("the snapshot; with --watch one a line, whenever it changes"),
  },
  examples: ["limpet screen 7", "limpet screen 7 --watch", "limpet screen 7 | grep Error", "limpet screen 7 --marks"],
  run: ({ args }) =>
    withHost(async (sessions) => {
      // One that never comes again, so that nothing is told of what it saw before.
      const caller = `limpet screen ${randomUUID()}`;
      const { id } = await sessions.find(String(args["id"]));
      const isJson = isOn(args, "json");
      if (isOn(args, "watch")) {
        await requireElsewhere(sessions, id);
        return isJson ? await stream(sessions, id, caller) : await watch(sessions, id, caller);
      }
      const isColoured = !isJson && !isOn(args, "marks") && process.stdout.isTTY;
      const { snapshot } = await readScreen(sessions, id, { caller, cells: isColoured });
      if (isJson) return printJson(snapshot);
      warnOfGaps(snapshot);
      const marked = { marks: isOn(args, "marks"), caret: isOn(args, "marks") };
      await writeOut(`${isColoured ? coloured(snapshot) : screenText(snapshot, marked)}\n`);
    }),
};

/** What was last seen stays behind, as with a program that runs in a terminal. */
async function watch(sessions: HostClient, id: number, caller: string): Promise<void> {
  const { last, isLeft } = await watchScreen(sessions, id, caller);
  if (!last || isLeft) return;
  const { session, snapshot } = last;
  await writeOut(`${coloured(snapshot)}\n`);
  printError(`[${describeName(session)} ${session.exit ? describeExit(session.exit) : "was lost"}]`);
}

async function stream(sessions: HostClient, id: number, caller: string): Promise<void> {
  const { signal } = new AbortController();
  for await (const { snapshot } of followScreen(sessions, id, { caller, cells: false, signal })) {
    if (!(await writeOut(`${JSON.stringify(snapshot)}\n`))) return;
  }
}

/** Without the blank rows at the end. */
function coloured(snapshot: Snapshot): string {
  const rows = colouredRows(snapshot);
  return rows.slice(0, rows.findLastIndex((row) => row !== "") + 1).join("\n");
}

function warnOfGaps({ missedBytes }: Snapshot): void {
  if (missedBytes > 0) printError(`Incomplete: ${missedBytes} bytes of output are no longer kept.`);
}
