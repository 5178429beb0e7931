import { readBrief } from "../../../tools/answer/brief.ts";
import type { Command } from "../../args/command.ts";
import { print } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const brief: Command = {
  name: "brief",
  description: "Print all sessions, their last results and open questions in at most 300 tokens.",
  examples: ["limpet brief"],
  run: () => withHost(async (sessions) => print(await readBrief(sessions, { all: true, more: "limpet ls --ended" }))),
};
