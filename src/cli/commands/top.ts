import type { Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { isOn } from "../args/read-args.ts";
import { fleetArgs } from "../fleet/nats-args.ts";
import { printJson } from "../print/print.ts";
import { showTop } from "../top/show-top.ts";
import { withHostOrFleet } from "../with-host.ts";

export const top: Command = {
  name: "top",
  description: "Watch all sessions in a live table. Press ? for the keys.",
  args: {
    ...jsonArg("the current table, once"),
    ...fleetArgs,
    ...atArg,
  },
  examples: ["limpet top", "limpet top --json", "limpet top --fleet"],
  run: (args) =>
    withHostOrFleet(args, async (sessions) => {
      if (isOn(args, "json")) printJson(await sessions.list({ ended: false }));
      else await showTop(sessions);
    }),
};
