/** The user's defaults in `config.json`. Flags and variables override them. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Allowance } from "../base/allowance.ts";
import type { MetricsAddress } from "../base/format/metrics-address.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import type { AuditMode } from "../safety/audit/audit-log.ts";
import type { SecretSource } from "../safety/secrets/secret-source.ts";
import type { SecretJournals } from "../service/secrets/secrets.ts";
import { type ProfileName, profileLimits } from "../tools/profile-limits.ts";
import type { EnvRules } from "../transport/env/select-env.ts";
import { readSettingsFile, type SettingReaders } from "./read-settings-file.ts";
import { badSetting, type GivenSetting, isText } from "./settings/bad-setting.ts";
import { type ApprovalSource, readApproval, readApprovalTimeout } from "./settings/read-approval.ts";
import { readAudit } from "./settings/read-audit.ts";
import { readEnv } from "./settings/read-env.ts";
import { type FleetSetting, readFleet } from "./settings/read-fleet.ts";
import { type Hooks, readHooks } from "./settings/read-hooks.ts";
import { readLimits } from "./settings/read-limits.ts";
import { readMetrics } from "./settings/read-metrics.ts";
import { type PlaceSetting, readPlaces } from "./settings/read-places.ts";
import { type ProjectSettings, readProjects } from "./settings/read-projects.ts";
import { readSandbox } from "./settings/read-sandbox.ts";
import { type RedactSettings, readRedact, readSecretJournals, readSecrets } from "./settings/read-secrets.ts";

export interface UserConfig {
  /** The host's directory, as an absolute path. */
  readonly state?: string;
  readonly tools?: ProfileName;
  /** MCP answers have structured content, too. */
  readonly structured?: boolean;
  /** Which variables programs get. */
  readonly env?: EnvRules;
  /** The key before `d` to detach from a session, such as `Ctrl+]`. */
  readonly detachKey?: string;
  /** Commands that the host runs when something happens in a session. */
  readonly hooks?: Hooks;
  /** What programs of agents may do: by default, and at most. */
  readonly sandbox?: Allowance<SandboxRequest>;
  /**
   * Who may approve what an agent wants to do: with `person`, answers that come through the agent's client do not
   * count.
   */
  readonly approval?: ApprovalSource;
  /** How long a person has to approve something, in milliseconds. */
  readonly approvalTimeout?: number;
  /** What programs of agents may use. */
  readonly limits?: Allowance<SessionLimits>;
  /** Whether acts are recorded, and whether they must be. */
  readonly audit?: AuditMode;
  /** The address at which the host serves metrics. */
  readonly metrics?: MetricsAddress;
  /** Other machines and containers, by name. */
  readonly places?: Readonly<Record<string, PlaceSetting>>;
  /** The NATS server of a fleet, and the credentials for it. */
  readonly fleet?: FleetSetting;
  /** What differs in some projects. */
  readonly projects?: readonly ProjectSettings[];
  /** Where the values of named secrets come from. */
  readonly secrets?: Readonly<Record<string, SecretSource>>;
  /** Whether the output of sessions that are given secrets is written to disk. */
  readonly secretJournals?: SecretJournals;
  /** What is masked besides known secrets. */
  readonly redact?: RedactSettings;
}

/** How each setting is read: a value that does not fit is refused. */
const SETTINGS: SettingReaders<UserConfig> = {
  state: readState,
  tools: readTools,
  structured: readStructured,
  env: readEnv,
  detachKey: readDetachKey,
  hooks: readHooks,
  sandbox: readSandbox,
  approval: readApproval,
  approvalTimeout: readApprovalTimeout,
  limits: readLimits,
  audit: readAudit,
  metrics: readMetrics,
  places: readPlaces,
  fleet: readFleet,
  projects: readProjects,
  secrets: readSecrets,
  secretJournals: readSecretJournals,
  redact: readRedact,
};

/** The user's config.json, which need not exist. */
export function configFile(env: NodeJS.ProcessEnv): string {
  const given = env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(env["HOME"] || homedir(), ".config"), "limpet", "config.json");
}

/** Empty if the file does not exist. A file with a mistake is refused: silently using a default would be worse. */
export function userConfig(env: NodeJS.ProcessEnv): UserConfig {
  return readSettingsFile(configFile(env), SETTINGS, { home: env["HOME"] || homedir(), links: "follow" });
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
