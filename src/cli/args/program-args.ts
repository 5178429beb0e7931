/** The program to run: one word is a command line for the shell, several are a program and its arguments. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { parseSecretEnv } from "../../safety/secrets/parse-secret-env.ts";
import type { StartRequest } from "../../service/turn/start-request.ts";
import type { ArgSpecs, Args } from "./command.ts";
import { limitArgs, limitsOf } from "./limit-args.ts";
import { listOf, textOf } from "./read-args.ts";
import { sandboxArgs, sandboxOf } from "./sandbox-args.ts";

/** What `run` and `start` have in common. */
export const programArgs: ArgSpecs = {
  command: {
    type: "program",
    hint: "CMD…",
    description: "A command line in quotes, or a program and its arguments",
  },
  cwd: { type: "string", short: "C", hint: "DIR", description: "Working directory. Default: the current one" },
  env: { type: "string", short: "e", hint: "NAME=VALUE", isList: true, description: "Set a variable. May be repeated" },
  "env-file": {
    type: "string",
    hint: "FILE",
    isList: true,
    description: "Set the variables of a file (NAME=VALUE lines)",
  },
  "secret-env": {
    type: "string",
    hint: "NAME",
    isList: true,
    description: "Set a variable to the secret of that name, or VARIABLE=NAME. May be repeated",
  },
  ...sandboxArgs,
  ...limitArgs,
};

export function programOf(
  args: Args,
): Pick<StartRequest, "command" | "cwd" | "env" | "limits" | "sandbox" | "secretEnv"> {
  const cwd = textOf(args, "cwd");
  return {
    command: commandLine(listOf(args, "command")),
    // At a place it is relative to the home directory there.
    cwd: cwd === undefined || textOf(args, "at") !== undefined ? cwd : resolve(cwd),
    sandbox: sandboxOf(args),
    limits: limitsOf(args),
    ...secretEnvOf(args),
    env: Object.fromEntries([
      ...listOf(args, "env-file").flatMap(readEnvFile),
      ...listOf(args, "env").map((word) => variableOf(word, "--env")),
    ]),
  };
}

function secretEnvOf(args: Args): Pick<StartRequest, "secretEnv"> {
  const words = listOf(args, "secret-env");
  return words.length === 0 ? {} : { secretEnv: parseSecretEnv(words) };
}

function readEnvFile(file: string): (readonly [string, string])[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LimpetError(
      "BAD_OPTION",
      `${file} cannot be read (${code}). Give --env-file a file with NAME=VALUE lines.`,
    );
  }
  return parseEnvFile(text, file);
}

/** Pure. As dotenv files are written: comments, `export`, and quotes around values. */
export function parseEnvFile(text: string, file: string): (readonly [string, string])[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line: line.trim(), where: `${file}, line ${index + 1}` }));
  return lines
    .filter(({ line }) => line !== "" && !line.startsWith("#"))
    .map(({ line, where }) => {
      const [name, value] = variableOf(line.replace(/^export\s+/, ""), where);
      return [name, unquoted(value)] as const;
    });
}

function variableOf(word: string, where: string): readonly [string, string] {
  const at = word.indexOf("=");
  const name = word.slice(0, at).trim();
  if (at > 0 && /^[^\s=]+$/.test(name)) return [name, word.slice(at + 1)];
  throw new LimpetError(
    "BAD_OPTION",
    `${where}: ${JSON.stringify(word)} is not NAME=VALUE. Write, for example, DEBUG=1.`,
  );
}

function unquoted(text: string): string {
  const value = text.trim();
  const quoted = /^(["'])(.*)\1$/s.exec(value)?.[2];
  return quoted ?? value;
}

/** Pure. */
function commandLine(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? "") : words.map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
