import { describeExit } from "../../base/exit.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import type { Command } from "../args/command.ts";
import { atArg, sessionArg } from "../args/common-args.ts";
import { isOn, requiredText } from "../args/read-args.ts";
import { type AttachEnd, attachTo } from "../attach/attach-to.ts";
import { detachKeyArg, detachKeyIn } from "../attach/detach-key-arg.ts";
import { exitCodeOfProgram, OK } from "../exit-codes.ts";
import { describeName } from "../print/describe-session.ts";
import { printError, writeDrawing } from "../print/print.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { withHost } from "../with-host.ts";

export const attach: Command = {
  name: "attach",
  description: "Attach to a session's terminal. Press Ctrl+] and d to detach; the program keeps running.",
  args: {
    ...sessionArg,
    "read-only": { type: "boolean", short: "r", description: "Watch only: send no keys" },
    resize: {
      type: "boolean",
      description: "Give the session the size of this terminal until you detach. Default: show it at its own size",
    },
    ...detachKeyArg,
    ...atArg,
  },
  examples: [
    "limpet attach dev",
    "limpet attach 7 --read-only",
    "limpet attach 7 --resize",
    "limpet attach build/7   # at the place build",
  ],
  run: (args) =>
    withHost(args, async (sessions) => {
      const detachKey = detachKeyIn(args);
      const session = await sessions.find(requiredText(args, "id"));
      await requireOutsideSession(sessions, session.id);
      const end = await attachTo(sessions, session.id, {
        isReadOnly: isOn(args, "read-only"),
        takesSize: isOn(args, "resize"),
        detachKey,
      });
      await showEnd(session, end);
      return end.kind === "detached" ? OK : exitCodeOfProgram(end.exit);
    }),
};

/** Leaves in the terminal what the program left on its screen, and says how the attachment ended. */
async function showEnd(session: SessionName, end: AttachEnd): Promise<void> {
  const who = describeName(session);
  if (end.kind === "detached") return printError(`[detached from ${who}, still running]`);
  if (end.lastLines.length > 0) await writeDrawing(`${end.lastLines.join("\n")}\n`);
  printError(`[${who} ${describeExit(end.exit)}]`);
}
