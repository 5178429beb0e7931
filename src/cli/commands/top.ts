import type { Command } from "../command.ts";
import { isOn } from "../flags.ts";
import { printJson } from "../print.ts";
import { jsonArg } from "../session-arg.ts";
import { showTop } from "../top/show-top.ts";
import { withHost } from "../with-host.ts";

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
