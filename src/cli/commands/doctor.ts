import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { doctor as examine } from "../doctor/doctor.ts";
import { print } from "../print/print.ts";
import { doctorSettings } from "../settings/settings.ts";

export const doctor: Command = {
  name: "doctor",
  description: "Check whether limpet works on this machine, and explain each result. Exits with 1 if it does not.",
  args: jsonArg(),
  examples: ["limpet doctor", "limpet doctor --json"],
  async run(args) {
    const { findings, lines, isUsable } = await examine(doctorSettings());
    print(args["json"] ? JSON.stringify({ isUsable, findings }, null, 2) : lines.join("\n"));
    return isUsable ? 0 : 1;
  },
};
