/** The user's defaults in `config.json`. Flags and variables override them. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import { EVENT_KINDS, type EventKind } from "../service/events/session-event.ts";
import { type ProfileName, profileLimits } from "../tools/profile-limits.ts";
import type { EnvRules } from "../transport/select-env.ts";
import { type JsonMember, readJsonMembers } from "./jsonc.ts";

type Hooks = Readonly<Partial<Record<EventKind, string>>>;

export interface UserConfig {
  /** The host's directory, as an absolute path. */
  readonly state?: string;
  readonly tools?: ProfileName;
  /** MCP answers have structured content, too. */
  readonly structured?: boolean;
  /** Which variables programs get. */
  readonly env?: EnvRules;
  /** The key that leaves an attached session, such as `Ctrl+]`. */
  readonly detachKey?: string;
  /** Commands that the host runs when something happens in a session. */
  readonly hooks?: Hooks;
  /** The most that programs of agents may do. */
  readonly sandbox?: SandboxRequest;
}

/** The user's config.json, which need not exist. */
export function configFile(env: NodeJS.ProcessEnv): string {
  const given = env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(env["HOME"] || homedir(), ".config"), "limpet", "config.json");
}

/** Empty if the file does not exist. A file with a mistake is refused: silently using a default would be worse. */
export function userConfig(env: NodeJS.ProcessEnv): UserConfig {
  const home = env["HOME"] || homedir();
  const file = configFile(env);
  const text = textOf(file);
  if (text === undefined) return {};
  try {
    return parseConfig(text, home);
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    throw new LimpetError(cause.code, `${file}: ${cause.message}`, { cause });
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new LimpetError("BAD_CONFIG", `${file} cannot be read (${code}). Fix it or remove it.`, { cause });
  }
}

/** Pure. `home` is what `~` stands for. */
function parseConfig(text: string, home: string): UserConfig {
  return Object.assign({}, ...readJsonMembers(text).map((member) => settingOf(member, home))) as UserConfig;
}

function settingOf({ key, value, line }: JsonMember, home: string): UserConfig {
  switch (key) {
    case "state": {
      const path = typeof value === "string" ? value.replace(/^~(?=\/|$)/, home) : "";
      if (!isAbsolute(path))
        throw bad(line, `has ${JSON.stringify(value)} for state`, "Use an absolute path, or one that starts with ~/.");
      return { state: path };
    }
    case "tools": {
      const isKnown = typeof value === "string" && Object.hasOwn(profileLimits, value);
      const known = Object.keys(profileLimits).join(", ");
      if (!isKnown) throw bad(line, `has an unknown tool profile ${JSON.stringify(value)}`, `Use one of: ${known}.`);
      return { tools: value as ProfileName };
    }
    case "structured": {
      if (typeof value !== "boolean")
        throw bad(line, `has ${JSON.stringify(value)} for structured`, "Use true or false.");
      return { structured: value };
    }
    case "detachKey": {
      if (!isText(value)) throw bad(line, `has ${JSON.stringify(value)} for detachKey`, 'Use a key such as "Ctrl+]".');
      return { detachKey: value };
    }
    case "env":
      return { env: envRules(value, line) };
    case "hooks":
      return { hooks: hooksOf(value, line) };
    case "sandbox":
      return { sandbox: sandboxOf(value, line) };
    default:
      throw bad(
        line,
        `has an unknown setting ${JSON.stringify(key)}`,
        "Use one of: state, tools, structured, env, detachKey, hooks, sandbox.",
      );
  }
}

function envRules(value: unknown, line: number): EnvRules {
  const remedy =
    'Use an object with pass and withhold (lists of names, which may contain *) and set ({ "NAME": "value" }).';
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw bad(line, "has a bad value for env", remedy);
  for (const [key, part] of Object.entries(value)) {
    const isNames = (key === "pass" || key === "withhold") && Array.isArray(part) && part.every(isText);
    const isValues = key === "set" && typeof part === "object" && part !== null && Object.values(part).every(isText);
    if (!isNames && !isValues) throw bad(line, `has a bad value for env.${key}`, remedy);
  }
  return value as EnvRules;
}

function sandboxOf(value: unknown, line: number): SandboxRequest {
  const given = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { files: value };
  const { files, network, ...others } = given as Partial<Record<"files" | "network", unknown>>;
  const isKnown = files === "read-only" || files === "workspace";
  const isNetwork = network === undefined || network === "on" || network === "off";
  if (isKnown && isNetwork && Object.keys(others).length === 0) return { files, ...(network ? { network } : {}) };
  const remedy = 'Use "read-only", "workspace", or an object such as { "files": "workspace", "network": "off" }.';
  throw bad(line, `has ${JSON.stringify(value)} for sandbox`, remedy);
}

function hooksOf(value: unknown, line: number): Hooks {
  const known: readonly string[] = EVENT_KINDS;
  const remedy = `Use an object of commands, such as { "waiting": "notify-send limpet" }, for: ${known.join(", ")}.`;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw bad(line, "has a bad value for hooks", remedy);
  for (const [kind, command] of Object.entries(value)) {
    if (!known.includes(kind)) throw bad(line, `has an unknown event ${JSON.stringify(kind)} in hooks`, remedy);
    if (!isText(command) || command === "") throw bad(line, `has a bad value for hooks.${kind}`, remedy);
  }
  return value as Hooks;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function bad(line: number, what: string, remedy: string): LimpetError {
  return new LimpetError("BAD_CONFIG", `Line ${line} ${what}. ${remedy}`);
}
