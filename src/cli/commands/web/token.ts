import { describeAge } from "../../../base/format/describe-duration.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import { openStateDirectory } from "../../../host/state/state-directory.ts";
import type { Right } from "../../../web/server/route.ts";
import { TokenFile } from "../../../web/tokens/token-file.ts";
import type { Args, Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import { OK } from "../../exit-codes.ts";
import { isPerson, print, printError, printJson } from "../../print/print.ts";
import { table } from "../../print/table.ts";
import { requirePerson } from "../../require-outside-session.ts";
import { stateDirectory } from "../../settings/settings.ts";
import { lifetimeOf } from "../../web/lifetime-of.ts";

const ACTIONS = ["create", "list", "revoke"] as const;
const MAX_DAYS = 366;

export const token: Command = {
  name: "token",
  description: "Manage the tokens that agents need for MCP over HTTP. limpet stores only their hashes.",
  args: {
    action: { type: "positional", choices: ACTIONS, description: `One of ${ACTIONS.join(", ")}` },
    name: {
      type: "positional",
      isOptional: true,
      description: "The name of the token, which is also that of its caller",
    },
    scope: {
      type: "string",
      hint: "view|control",
      description: "With create: what it allows. view: read. control: also type and start. Default: control",
    },
    for: { type: "string", hint: "TIME", description: "With create: how long, such as 12h or 30d. Default: 30d" },
    ...jsonArg(),
  },
  examples: [
    "limpet token create laptop",
    "limpet token create ci --scope view --for 12h",
    "limpet token list",
    "limpet token revoke laptop",
  ],
  async run(args) {
    await requirePerson("limpet token");
    // Checks that nobody else can read it, and creates it.
    const directory = openStateDirectory(stateDirectory());
    directory.release();
    const tokens = new TokenFile(directory.path);
    const action = requiredText(args, "action");
    switch (action) {
      case "create":
        return create(tokens, args);
      case "list":
        return list(tokens, args);
      case "revoke":
        return revoke(tokens, args);
      default:
        throw new LimpetError(
          "BAD_OPTION",
          `limpet token has no action ${JSON.stringify(action)}. Use one of: ${ACTIONS.join(", ")}.`,
        );
    }
  },
};

function create(tokens: TokenFile, args: Args): number {
  const name = nameOf(args, "create");
  const forMs = lifetimeOf(args, { otherwise: "30d", maxDays: MAX_DAYS });
  const { token, listed } = tokens.create({ name, scope: scopeOf(args), forMs });
  if (isOn(args, "json")) printJson({ token, ...listed });
  else {
    print(token);
    if (isPerson()) printError("Store it now: limpet keeps only a hash of it. Send it as Authorization: Bearer TOKEN");
  }
  return OK;
}

function list(tokens: TokenFile, args: Args): number {
  const listed = tokens.list();
  if (isOn(args, "json")) printJson(listed);
  else if (listed.length === 0) print("There are no tokens. Create one with: limpet token create NAME");
  else {
    const rows = listed.map(({ name, scope, expiresMs }) => [name, scope, describeAge(expiresMs - Date.now())]);
    print(table([{ title: "NAME" }, { title: "SCOPE" }, { title: "ENDS IN" }], rows).join("\n"));
  }
  return OK;
}

function revoke(tokens: TokenFile, args: Args): number {
  const name = nameOf(args, "revoke");
  tokens.revoke(name);
  if (isOn(args, "json")) printJson({ name, revoked: true });
  else print(`Revoked ${name}. Its clients are disconnected.`);
  return OK;
}

function nameOf(args: Args, action: string): string {
  const name = textOf(args, "name");
  if (name === undefined) throw new LimpetError("BAD_OPTION", `The name is missing. Use: limpet token ${action} NAME`);
  return name;
}

function scopeOf(args: Args): Right {
  const scope = textOf(args, "scope") ?? "control";
  if (scope === "view" || scope === "control") return scope;
  throw new LimpetError("BAD_OPTION", `--scope is ${JSON.stringify(scope)}. Give view or control.`);
}
