import { jsonArg } from "../args.ts";
import type { Command } from "../command.ts";
import { withHost } from "../connect.ts";
import { isOn } from "../flags.ts";
import { printJson } from "../print.ts";
import { showTop } from "../top/top.ts";

export const top: Command = {
  meta: { name: "top", description: "Watch all sessions in a live table; attach, kill and filter by keys." },
  args: {
    ...jsonArg("what the table would show now"),
  },
  examples: ["limpet top", "limpet top --json"],
  run: ({ args }) =>
    withHost(async (sessions) => {
      if (isOn(args, "json")) printJson(await sessions.list({ ended: false }));
      else await showTop(sessions);
    }),
};
