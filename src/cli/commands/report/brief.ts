import { readBrief } from "../../../tools/answer/brief.ts";
import type { Command } from "../../args/command.ts";
import { atArg } from "../../args/common-args.ts";
import { print } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const brief: Command = {
  name: "brief",
  description: "Print all sessions, their last results and open questions in at most 300 tokens.",
  args: { ...atArg },
  examples: ["limpet brief"],
  run: (args) =>
    withHost(args, async (sessions) => print(await readBrief(sessions, { all: true, more: "limpet ls --ended" }))),
};
