import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn } from "../args/read-args.ts";
import type { PlaceToCheck } from "../doctor/check-places.ts";
import { doctor as examine } from "../doctor/doctor.ts";
import { print, printJson } from "../print/print.ts";
import { doctorSettings, placesSetting } from "../settings/settings.ts";
import { withHost } from "../with-host.ts";

export const doctor: Command = {
  name: "doctor",
  description:
    "Check whether limpet works on this machine and reaches your places, and explain each result. Exits with 1 if it does not work here.",
  args: jsonArg(),
  examples: ["limpet doctor", "limpet doctor --json"],
  async run(args) {
    const settings = doctorSettings();
    const names = settings.configProblem === undefined ? Object.keys(placesSetting()) : [];
    const { findings, lines, isUsable } = await examine({ ...settings, places: names.map(placeToCheck) });
    if (isOn(args, "json")) printJson({ isUsable, findings });
    else print(lines.join("\n"));
    return isUsable ? 0 : 1;
  },
};

function placeToCheck(name: string): PlaceToCheck {
  return { name, status: () => withHost({ at: name }, (sessions) => sessions.hostStatus()) };
}
