/** The user's defaults in `config.json`. Flags and variables override them. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import type { AuditMode } from "../safety/audit/audit-log.ts";
import { type ProfileName, profileLimits } from "../tools/profile-limits.ts";
import type { EnvRules } from "../transport/select-env.ts";
import { readJsonMembers } from "./jsonc.ts";
import { badSetting, type GivenSetting, isText } from "./settings/bad-setting.ts";
import { readAudit } from "./settings/read-audit.ts";
import { readEnv } from "./settings/read-env.ts";
import { type Hooks, readHooks } from "./settings/read-hooks.ts";
import { readLimits } from "./settings/read-limits.ts";
import { type PlaceSetting, readPlaces } from "./settings/read-places.ts";
import { readSandbox } from "./settings/read-sandbox.ts";

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
  /** The most that programs of agents may use. */
  readonly limits?: SessionLimits;
  /** Whether acts are written down, and whether they must be. */
  readonly audit?: AuditMode;
  /** Other machines and containers, by name. */
  readonly places?: Readonly<Record<string, PlaceSetting>>;
}

/** How each setting is read: a value that does not fit is refused. */
const SETTINGS: { readonly [Key in keyof UserConfig]-?: (given: GivenSetting) => Required<UserConfig>[Key] } = {
  state: readState,
  tools: readTools,
  structured: readStructured,
  env: readEnv,
  detachKey: readDetachKey,
  hooks: readHooks,
  sandbox: readSandbox,
  limits: readLimits,
  audit: readAudit,
  places: readPlaces,
};

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
  const entries = readJsonMembers(text).map(({ key, value, line }) => {
    if (!isSetting(key)) {
      const known = Object.keys(SETTINGS).join(", ");
      throw badSetting({ line }, `has an unknown setting ${JSON.stringify(key)}`, `Use one of: ${known}.`);
    }
    return [key, SETTINGS[key]({ value, line, home })];
  });
  return Object.fromEntries(entries) as UserConfig;
}

function isSetting(key: string): key is keyof UserConfig {
  return Object.hasOwn(SETTINGS, key);
}

function readState(given: GivenSetting): string {
  const { value, home } = given;
  const path = isText(value) ? value.replace(/^~(?=\/|$)/, home) : "";
  if (isAbsolute(path)) return path;
  throw badSetting(
    given,
    `has ${JSON.stringify(value)} for state`,
    "Use an absolute path, or one that starts with ~/.",
  );
}

function readTools(given: GivenSetting): ProfileName {
  const { value } = given;
  if (isText(value) && Object.hasOwn(profileLimits, value)) return value as ProfileName;
  const known = Object.keys(profileLimits).join(", ");
  throw badSetting(given, `has an unknown tool profile ${JSON.stringify(value)}`, `Use one of: ${known}.`);
}

function readStructured(given: GivenSetting): boolean {
  if (typeof given.value === "boolean") return given.value;
  throw badSetting(given, `has ${JSON.stringify(given.value)} for structured`, "Use true or false.");
}

function readDetachKey(given: GivenSetting): string {
  if (isText(given.value)) return given.value;
  throw badSetting(given, `has ${JSON.stringify(given.value)} for detachKey`, 'Use a key such as "Ctrl+]".');
}
