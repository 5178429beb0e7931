/** A host with secrets, the tools of an agent that uses it, and a search for secrets in what was written. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { profiles } from "../../src/tools/profiles.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import { type Cli, openCli } from "./cli.ts";

export interface SecretHost extends AsyncDisposable {
  readonly cli: Cli;
  /** Everything that any tool has answered, as data and as text. */
  readonly answers: string[];
  /** Must not be an error. */
  call(name: string, args: object, caller?: string): Promise<ToolResult & { structured: Record<string, unknown> }>;
  /** Must be an error; gives its text. */
  refusal(name: string, args: object): Promise<string>;
}

/** `stored`: secrets by name. `config`: what is in config.json. */
export async function openSecretHost(
  stored: Readonly<Record<string, string>>,
  config: object = {},
): Promise<SecretHost> {
  const cli = openCli();
  mkdirSync(join(cli.env["XDG_CONFIG_HOME"] ?? "", "limpet"), { recursive: true });
  writeFileSync(join(cli.env["XDG_CONFIG_HOME"] ?? "", "limpet/config.json"), JSON.stringify(config));
  for (const [name, value] of Object.entries(stored)) {
    expect(await cli.limpet(["secret", "set", name], `${value}\n`)).toMatchObject({ code: 0 });
  }
  // The command line starts the host, with the configuration of this test.
  expect(await cli.limpet(["run", "true"])).toMatchObject({ code: 0 });
  const answers: string[] = [];
  const raw = async (name: string, args: object, caller = "agent") => {
    const tool = profiles.all.tools.find((candidate) => candidate.name === name);
    const result = await tool?.call(args, { sessions: cli.sessions, caller });
    if (!result) throw new Error(`No tool ${name}`);
    answers.push(result.text, JSON.stringify(result.structured), result.image?.base64 ?? "");
    return result as ToolResult & { structured: Record<string, unknown> };
  };
  return {
    cli,
    answers,
    async call(name, args, caller) {
      const result = await raw(name, args, caller);
      if (result.isError) throw new Error(`${name} failed: ${result.text}`);
      return result;
    },
    async refusal(name, args) {
      const result = await raw(name, args);
      if (!result.isError) throw new Error(`${name} was not refused: ${result.text}`);
      return result.text;
    },
    [Symbol.asyncDispose]: () => cli[Symbol.asyncDispose](),
  };
}

/** The files below a folder, with their content as latin1. Those that a host removes meanwhile are left out. */
export function filesBelow(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return unlessGone(() => readdirSync(folder)).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return filesBelow(path);
    return stat?.isFile() ? unlessGone(() => [{ path, text: readFileSync(path, "latin1") }]) : [];
  });
}

function unlessGone<T>(look: () => readonly T[]): readonly T[] {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

const SEQUENCES = /\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\(B/g;

/** The forms of the secret that are in the text, also if control sequences or the edge of a screen break them. */
export function formsIn(text: string, secret: string): readonly string[] {
  const joined = [text, text.replaceAll(SEQUENCES, ""), text.replaceAll(/\\n|[\r\n]/g, "")];
  return [0, 1, 2]
    .map((offset) => Buffer.from(" ".repeat(offset) + secret).toString("base64"))
    .map((encoded, offset) => encoded.slice(Math.ceil((offset * 8) / 6), -4))
    .concat(secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1))
    .filter((form) => joined.some((each) => each.includes(form)));
}
