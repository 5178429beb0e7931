import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn, requiredText } from "../args/read-args.ts";
import { print, printJson } from "../print/print.ts";
import { setupSettings } from "../settings/settings.ts";
import { CLIENTS } from "../setup/clients.ts";
import { setup as setUp } from "../setup/setup.ts";

export const setup: Command = {
  name: "setup",
  description: "Print the configuration that makes an agent client start limpet, or write it to the client's file.",
  args: {
    client: { type: "positional", choices: CLIENTS, description: `One of ${CLIENTS.join(", ")}` },
    write: { type: "boolean", description: "Add it to the client's file, and keep a backup next to it" },
    ...jsonArg(),
  },
  examples: ["limpet setup claude", "limpet setup claude --write", "limpet setup codex --write"],
  async run(args) {
    const { lines, ...report } = await setUp({
      ...setupSettings(),
      client: requiredText(args, "client"),
      write: isOn(args, "write"),
    });
    if (isOn(args, "json")) printJson(report);
    else print(lines.join("\n"));
  },
};
