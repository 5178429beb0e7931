import { jsonArg, sessionArg } from "../args.ts";
import type { Command } from "../command.ts";
import { withHost } from "../connect.ts";
import { isOn } from "../flags.ts";
import { print, printJson } from "../print.ts";

export const kill: Command = {
  meta: { name: "kill", description: "End a session and all that it started, and forget what it printed." },
  args: {
    ...sessionArg,
    force: { type: "boolean", alias: "f", description: "At once, without time to tidy up" },
    ...jsonArg(),
  },
  examples: ["limpet kill dev", "limpet kill --force 7"],
  run: ({ args }) =>
    withHost(async (sessions) => {
      const report = await sessions.close(String(args["id"]), { force: isOn(args, "force") });
      if (isOn(args, "json")) return printJson(report);
      const names = report.ended.map(({ name, pid }) => `${name} (${pid})`).join(", ");
      print(names === "" ? "Nothing was left to end." : `Ended: ${names}`);
    }),
};
