import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn } from "../args/read-args.ts";
import { doctor as examine } from "../doctor/doctor.ts";
import { print, printJson } from "../print/print.ts";
import { doctorSettings } from "../settings/settings.ts";

export const doctor: Command = {
  name: "doctor",
  description: "Check whether limpet works on this machine, and explain each result. Exits with 1 if it does not.",
  args: jsonArg(),
  examples: ["limpet doctor", "limpet doctor --json"],
  async run(args) {
    const { findings, lines, isUsable } = await examine(doctorSettings());
    if (isOn(args, "json")) printJson({ isUsable, findings });
    else print(lines.join("\n"));
    return isUsable ? 0 : 1;
  },
};
