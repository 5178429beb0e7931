/**
 * Settings from flags, environment variables and `config.json`. A flag overrides its variable, which overrides the
 * file.
 */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Allowance } from "../../base/allowance.ts";
import { lazy } from "../../base/async/lazy.ts";
import { type MetricsAddress, requireMetricsAddress } from "../../base/format/metrics-address.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { agentLimits } from "../../config/agent-limits.ts";
import { sandboxAt } from "../../config/agent-sandbox.ts";
import { defaultStateDirectory } from "../../config/default-state-directory.ts";
import { policyFiles } from "../../config/policy-files.ts";
import type { PlaceSetting } from "../../config/settings/read-places.ts";
import { configFile, userConfig } from "../../config/user-config.ts";
import type { HookSource } from "../../host/hooks/host-hooks.ts";
import type { AuditMode } from "../../safety/audit/audit-log.ts";
import type { Approval } from "../../service/approvals/approval.ts";
import { findProject } from "../../service/owners/find-project.ts";
import type { RuleFile } from "../../tools/guard/ask-through-client.ts";
import type { PolicyOptions } from "../../tools/guard/policy-options.ts";
import { type ProfileName, profileLimits } from "../../tools/profile-limits.ts";
import { defaultShell } from "../../transport/env/child-env.ts";
import { mergeLoginEnv, selectEnv } from "../../transport/env/select-env.ts";
import type { DoctorRequest } from "../doctor/doctor.ts";
import type { PolicySettings } from "../policy/policy-report.ts";
import type { ClientPlaces } from "../setup/client-files.ts";
import type { ServerCommand } from "../setup/clients.ts";

export interface McpSettings {
  readonly profile: ProfileName;
  readonly isInProcess: boolean;
  /** Answers have structured content, too. */
  readonly isStructured: boolean;
  readonly stateDirectory: string;
  /** Undefined: the client's own name. */
  readonly caller: string | undefined;
  readonly maxWaitMs: number | undefined;
  /** What the agent's programs may do now, here or at a place. Throws if the project's own settings have a mistake. */
  readonly sandbox: (place: string | null) => Allowance<SandboxRequest>;
  /** Where the agent can start programs besides here. Empty for the profiles of other agents. */
  readonly places: Readonly<Record<string, PlaceSetting>>;
  /** The rules for what the agent does, and who approves what they ask about. */
  readonly policy: PolicyOptions;
  /** What the agent's programs may use. */
  readonly limits: () => Allowance<SessionLimits>;
  /** Mask what looks like a well-known token in everything the agent reads. */
  readonly redactsTokens: boolean;
  /** The address at which this server serves metrics; undefined: none. */
  readonly metrics: MetricsAddress | undefined;
}

interface McpFlags {
  readonly tools?: string | undefined;
  readonly state?: string | undefined;
  readonly caller?: string | undefined;
  readonly isInProcess?: boolean;
  readonly isStructured?: boolean;
  readonly maxWaitMs?: number | undefined;
  readonly sandbox?: SandboxRequest | undefined;
  readonly limits?: SessionLimits | undefined;
  readonly metrics?: string | undefined;
}

export function mcpSettings(flags: McpFlags, env: NodeJS.ProcessEnv = process.env): McpSettings {
  const config = userConfig(env);
  const asked = flags.tools ?? env["LIMPET_TOOLS"] ?? config.tools ?? "all";
  if (!isProfile(asked)) {
    const known = Object.keys(profileLimits).join(", ");
    throw new LimpetError(
      "BAD_OPTION",
      `Unknown tool profile ${JSON.stringify(asked)}. Give --tools one of: ${known}.`,
    );
  }
  // A profile with its own limits needs its own registry.
  const hasLimits = Object.keys(profileLimits[asked]).length > 0;
  const isInProcess = flags.isInProcess === true || hasLimits;
  if (isInProcess && flags.state !== undefined) {
    const why = flags.isInProcess === true ? "--in-process" : `--tools ${asked}`;
    throw new LimpetError(
      "BAD_OPTION",
      `--state is a host's directory, and ${why} does not use a host. Leave one of them out.`,
    );
  }
  return {
    profile: asked,
    isInProcess,
    isStructured: flags.isStructured || (config.structured ?? false),
    stateDirectory: stateDirectory(flags, env),
    caller: flags.caller ?? env["LIMPET_CALLER"],
    maxWaitMs: flags.maxWaitMs,
    sandbox: sandboxAt(config, { project: findProject(workingDirectory()), asked: flags.sandbox }),
    places: asked === "all" ? (config.places ?? {}) : {},
    limits: agentLimits(config, { project: findProject(workingDirectory()), asked: flags.limits }),
    policy: {
      ...agentPolicy(env),
      approval: config.approval,
      timeoutMs: config.approvalTimeout,
      hasPeople: !isInProcess,
    },
    redactsTokens: config.redact?.patterns ?? false,
    // Not from config.json, which has the port of the host: several servers cannot share it.
    metrics: flags.metrics === undefined ? undefined : requireMetricsAddress(flags.metrics),
  };
}

/** The rules of the user and of the project, read again at each use. */
export function agentPolicy(env: NodeJS.ProcessEnv = process.env): PolicyOptions & { readonly ruleFile: RuleFile } {
  const files = policySettings(env);
  const path = files.userFile;
  // Loaded on first use: a server must answer soon.
  const rules = async () => (await import("../../config/load-policy.ts")).loadPolicy(files);
  const allow = async (prefixes: Approval["prefixes"]) =>
    (await import("../../config/edit-policy.ts")).addPolicyRules(path, prefixes.map(allowRule));
  return { rules, ruleFile: { path, allow } };
}

function allowRule(prefix: readonly string[]) {
  return { prefix, decision: "allow" } as const;
}

function isProfile(name: string): name is ProfileName {
  return Object.hasOwn(profileLimits, name);
}

/** Where clients keep their files, and the command that starts the server. */
export function setupSettings(
  env: NodeJS.ProcessEnv = process.env,
  argv: readonly string[] = process.argv,
): ClientPlaces & { readonly server: ServerCommand } {
  return { ...clientPlaces(env), server: serverCommand(argv) };
}

function clientPlaces(env: NodeJS.ProcessEnv): ClientPlaces {
  return {
    home: env["HOME"] || homedir(),
    project: () => findProject(workingDirectory()),
    configHome: env["XDG_CONFIG_HOME"] || undefined,
    codexHome: env["CODEX_HOME"] || undefined,
    claudeHome: env["CLAUDE_CONFIG_DIR"] || undefined,
  };
}

/** A mistake in config.json is a finding of the doctor, which then continues without the file. */
export function doctorSettings(env: NodeJS.ProcessEnv = process.env): DoctorRequest {
  const request = { path: env["PATH"] ?? "", clients: clientPlaces(env), policies: policySettings(env) };
  try {
    userConfig(env);
    return { ...request, stateDirectory: stateDirectory({}, env) };
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    const withoutConfig = { ...env, XDG_CONFIG_HOME: "/dev/null" };
    return { ...request, stateDirectory: stateDirectory({}, withoutConfig), configProblem: error.message };
  }
}

/** The key before `d` to detach; undefined: the default. */
export function detachKeySetting(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return userConfig(env).detachKey;
}

/** The environment of a person's own programs: everything, and what `config.json` sets. */
export function personEnv(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const rules = userConfig(env).env;
  return selectEnv(env, { for: "person", ...(rules ? { rules } : {}) }).env;
}

/** The environment of an agent's programs, and the names of the variables that it does not contain. */
export interface AgentEnv {
  /** Asks the user's login shell for its variables on the first call, unless the answer is known. */
  readonly env: () => Promise<Readonly<Record<string, string>>>;
  readonly withheld: readonly string[];
}

export function agentEnv(all: NodeJS.ProcessEnv = process.env): AgentEnv {
  const rules = userConfig(all).env;
  const { env, withheld } = selectEnv(all, { for: "agent", ...(rules ? { rules } : {}) });
  const home = all["HOME"] ?? homedir();
  const cache = all["XDG_CACHE_HOME"] || join(home, ".cache");
  const login = lazy(async () => {
    // Loaded on first use: a server must answer soon.
    const { loginEnv } = await import("../../config/login-env.ts");
    const cacheFile = join(cache, "limpet", "login-env.json");
    return await loginEnv({ shell: defaultShell(), home, base: env, cacheFile });
  });
  // Merged once: each start of a program asks for it.
  const merged = lazy(async () => mergeLoginEnv(env, await login()));
  return { env: () => merged(), withheld };
}

/** The commands that a host runs when something happens. Read again whenever the file has changed. */
export function hookSettings(env: NodeJS.ProcessEnv = process.env): HookSource {
  return { file: configFile(env), read: () => userConfig(env).hooks ?? {} };
}

/** Other machines and containers, by name. */
export function placesSetting(env: NodeJS.ProcessEnv = process.env): Readonly<Record<string, PlaceSetting>> {
  return userConfig(env).places ?? {};
}

/** The variables of this process. */
export function processEnv(): NodeJS.ProcessEnv {
  return process.env;
}

/** The address at which the host serves metrics: `--metrics` or `config.json`. Undefined: none. */
export function metricsSetting(
  flag: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): MetricsAddress | undefined {
  return flag === undefined ? userConfig(env).metrics : requireMetricsAddress(flag);
}

/** Whether acts are recorded, and whether they must be. */
export function auditSetting(env: NodeJS.ProcessEnv = process.env): AuditMode {
  return userConfig(env).audit ?? "on";
}

/** Where the rules for agents are, and the directory to which they apply. */
export function policySettings(env: NodeJS.ProcessEnv = process.env): PolicySettings {
  const cwd = workingDirectory();
  const home = env["HOME"] || homedir();
  return {
    ...policyFiles(env, findProject(cwd)),
    cwd,
    claudeHome: env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"),
    codexHome: env["CODEX_HOME"] || join(home, ".codex"),
  };
}

/** The state directory of the host that commands use. */
export function stateDirectory(
  { state }: { readonly state?: string | undefined } = {},
  env: NodeJS.ProcessEnv = process.env,
): string {
  return state ? resolve(state) : defaultStateDirectory(env);
}

/** Installed globally, limpet is in PATH; in a project or a clone, only its file is known. */
function serverCommand([node = "node", file = ""]: readonly string[]): ServerCommand {
  const isForAll = basename(file) === "limpet" && basename(dirname(file)) !== ".bin";
  if (isForAll) return { command: "limpet", args: ["mcp"] };
  return { command: node, args: [realpathSync(file), "mcp"] };
}
