import { attachTo, describeEnd } from "../attach/attach-to.ts";
import type { Command } from "../command.ts";
import { exitCodeOfProgram } from "../describe.ts";
import { OK } from "../exit-codes.ts";
import { isOn } from "../flags.ts";
import { printError } from "../print.ts";
import { requireElsewhere } from "../require-elsewhere.ts";
import { sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";

export const attach: Command = {
  meta: {
    name: "attach",
    description: "Sit down at a session's terminal. Ctrl+] gets up again, and leaves the program running.",
  },
  args: {
    ...sessionArg,
    "read-only": { type: "boolean", alias: "r", description: "Only look: type nothing, and leave the size as it is" },
  },
  examples: ["limpet attach dev", "limpet attach 7 --read-only"],
  run: ({ args }) =>
    withHost(async (sessions) => {
      const session = await sessions.find(String(args["id"]));
      await requireElsewhere(sessions, session.id);
      const end = await attachTo(sessions, session.id, { isReadOnly: isOn(args, "read-only"), show: "screen" });
      printError(describeEnd(session, end));
      return end.kind === "detached" ? OK : exitCodeOfProgram(end.exit);
    }),
};
