import { LimpetError } from "../../../base/limpet-error.ts";
import { requireLong } from "../../../safety/redaction/known-secrets.ts";
import { requireSecretName, secretIn } from "../../../safety/secrets/secret-source.ts";
import type { ListedSecret } from "../../../safety/secrets/secret-vault.ts";
import type { Args, Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import { OK } from "../../exit-codes.ts";
import { askHidden } from "../../print/ask-hidden.ts";
import { print, printJson } from "../../print/print.ts";
import { table } from "../../print/table.ts";
import { requirePerson } from "../../require-outside-session.ts";
import { type SecretSettings, secretSettings } from "../../settings/secret-settings.ts";

const ACTIONS = ["set", "ls", "rm", "test"] as const;
const FROM: Readonly<Record<ListedSecret["from"], string>> = {
  command: "a command in config.json",
  file: "a file in config.json",
  env: "a variable in config.json",
  store: "limpet's own file",
  keyring: "the desktop's keyring",
};

export const secret: Command = {
  name: "secret",
  description:
    "Store secrets that agents use by name: at password prompts, or as variables of a program. No command prints a value.",
  args: {
    action: { type: "positional", choices: ACTIONS, description: `One of ${ACTIONS.join(", ")}` },
    name: { type: "positional", isOptional: true, description: "The secret. Letters, digits, _ and -" },
    keyring: { type: "boolean", description: "With set: store it in the desktop's keyring (needs secret-tool)" },
    ...jsonArg(),
  },
  examples: [
    "limpet secret set sudo",
    "pass show github | limpet secret set GITHUB_TOKEN",
    "limpet secret ls",
    "limpet secret test sudo   # can it be read?",
    "limpet secret rm sudo",
  ],
  async run(args) {
    await requirePerson("limpet secret");
    const settings = secretSettings();
    const action = requiredText(args, "action");
    switch (action) {
      case "ls":
        return await list(settings, args);
      case "set":
        return await set(settings, args);
      case "rm":
        return await remove(settings, args);
      case "test":
        return await test(settings, args);
      default:
        throw new LimpetError(
          "BAD_OPTION",
          `limpet secret has no action ${JSON.stringify(action)}. Use one of: ${ACTIONS.join(", ")}.`,
        );
    }
  },
};

async function list({ vault }: SecretSettings, args: Args): Promise<number> {
  const listed = await vault.list();
  if (isOn(args, "json")) printJson(listed);
  else if (listed.length === 0) print("There are no secrets. Store one with: limpet secret set NAME");
  else {
    const rows = listed.map(({ name, from }) => [name, FROM[from]]);
    print(table([{ title: "NAME" }, { title: "FROM" }], rows, {}).join("\n"));
  }
  return OK;
}

async function set({ store, vault }: SecretSettings, args: Args): Promise<number> {
  const name = nameOf(args, "set");
  const known = (await vault.list()).find((listed) => listed.name === name);
  if (known && known.from !== "store" && known.from !== "keyring") {
    throw new LimpetError("BAD_OPTION", `${name} comes from ${FROM[known.from]}. Remove it there first.`);
  }
  const value = secretIn(name, Buffer.from(await askHidden(`Value of ${name}: `)));
  requireLong(value);
  await store.set(name, value, isOn(args, "keyring") ? "keyring" : "file");
  return report(args, { name, set: true }, `Stored ${name}. Agents can use it by name, and do not see it.`);
}

async function remove({ store, vault }: SecretSettings, args: Args): Promise<number> {
  const name = nameOf(args, "rm");
  if (!(await store.remove(name))) {
    const known = (await vault.list()).find((listed) => listed.name === name);
    const why = known ? `${name} comes from ${FROM[known.from]}` : `Unknown secret ${name}`;
    throw new LimpetError("SECRET_NOT_FOUND", `${why}. See all with: limpet secret ls`);
  }
  return report(args, { name, removed: true }, `Removed ${name}.`);
}

async function test({ vault }: SecretSettings, args: Args): Promise<number> {
  const name = nameOf(args, "test");
  requireLong(await vault.read(name));
  return report(args, { name, readable: true }, `${name} can be read.`);
}

function nameOf(args: Args, action: string): string {
  const name = textOf(args, "name");
  if (name === undefined) throw new LimpetError("BAD_OPTION", `The name is missing. Use: limpet secret ${action} NAME`);
  requireSecretName(name);
  return name;
}

function report(args: Args, data: object, text: string): number {
  if (isOn(args, "json")) printJson(data);
  else print(text);
  return OK;
}
