import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn, requiredText, textOf } from "../args/read-args.ts";
import { print, printJson } from "../print/print.ts";
import { placesSetting, setupSettings } from "../settings/settings.ts";
import { SCOPES } from "../setup/client-files.ts";
import { CLIENTS } from "../setup/clients.ts";
import { requireServerUrl } from "../setup/http-entry.ts";
import { setup as setUp } from "../setup/setup.ts";

const TOKEN_VARIABLE = "LIMPET_TOKEN";

export const setup: Command = {
  name: "setup",
  description: "Make an agent client use limpet: print the configuration, write it to the client's file, or remove it.",
  args: {
    client: { type: "positional", choices: CLIENTS, description: `One of ${CLIENTS.join(", ")}` },
    write: { type: "boolean", description: "Add it to the client's file, and keep a backup next to it" },
    remove: { type: "boolean", description: "Remove it from the client's file, and keep a backup next to it" },
    scope: {
      type: "string",
      hint: SCOPES.join("|"),
      description: "For all your projects, or for this one and everybody who works on it. Default: user",
    },
    instructions: {
      type: "boolean",
      description: "Also the lines in CLAUDE.md, AGENTS.md or GEMINI.md that tell the agent when to use limpet",
    },
    http: {
      type: "string",
      hint: "URL",
      description: "Connect to limpet mcp --http or limpet web at this address, with the token in $LIMPET_TOKEN",
    },
    ...jsonArg(),
  },
  examples: [
    "limpet setup claude",
    "limpet setup claude --write --instructions",
    "limpet setup claude --write --scope project",
    "limpet setup codex --remove",
    "limpet setup gemini --write --http http://127.0.0.1:8717/mcp",
  ],
  async run(args) {
    const http = textOf(args, "http");
    const { lines, ...report } = await setUp({
      ...setupSettings(),
      ...(http === undefined ? {} : { server: { url: requireServerUrl(http), variable: TOKEN_VARIABLE } }),
      places: Object.keys(placesSetting()),
      client: requiredText(args, "client"),
      scope: textOf(args, "scope"),
      instructions: isOn(args, "instructions"),
      action: isOn(args, "remove") ? "remove" : isOn(args, "write") ? "write" : "print",
    });
    if (isOn(args, "json")) printJson(report);
    else print(lines.join("\n"));
  },
};
