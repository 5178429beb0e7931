import type { Command } from "../args/command.ts";
import { sessionArg } from "../args/common-args.ts";
import { isOn, requiredText } from "../args/read-args.ts";
import { attachTo, describeEnd } from "../attach/attach-to.ts";
import { exitCodeOfProgram, OK } from "../exit-codes.ts";
import { printBelow } from "../print/print.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { withHost } from "../with-host.ts";

export const attach: Command = {
  name: "attach",
  description: "Attach to a session's terminal. Press Ctrl+] to detach; the program keeps running.",
  args: {
    ...sessionArg,
    "read-only": { type: "boolean", short: "r", description: "Watch only: send no keys and do not resize the session" },
  },
  examples: ["limpet attach dev", "limpet attach 7 --read-only"],
  run: (args) =>
    withHost(async (sessions) => {
      const session = await sessions.find(requiredText(args, "id"));
      await requireOutsideSession(sessions, session.id);
      const end = await attachTo(sessions, session.id, { isReadOnly: isOn(args, "read-only"), show: "screen" });
      printBelow(describeEnd(session, end));
      return end.kind === "detached" ? OK : exitCodeOfProgram(end.exit);
    }),
};
