/** Settings from flags, environment variables and `config.json`. A flag overrides its variable, which overrides the file. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { readProcess } from "../../linux/processes.ts";
import { type ProfileName, profileLimits } from "../../tools/profile-limits.ts";
import type { DoctorRequest } from "../doctor/doctor.ts";
import type { ClientDirectories, ServerCommand } from "../setup/clients.ts";
import { userConfig } from "./user-config.ts";

export interface McpSettings {
  readonly profile: ProfileName;
  readonly isInProcess: boolean;
  readonly stateDirectory: string;
  readonly caller: string | undefined;
}

interface McpFlags {
  readonly tools?: string | undefined;
  readonly state?: string | undefined;
  readonly caller?: string | undefined;
  readonly isInProcess?: boolean;
}

export function mcpSettings(flags: McpFlags, env: NodeJS.ProcessEnv = process.env): McpSettings {
  const asked = flags.tools ?? env["LIMPET_TOOLS"] ?? userConfig(env).tools ?? "all";
  if (!isProfile(asked)) {
    const known = Object.keys(profileLimits).join(", ");
    throw new LimpetError("BAD_OPTION", `No tools ${JSON.stringify(asked)}. Give --tools one of: ${known}.`);
  }
  // A profile with limits of its own needs a registry of its own.
  const hasLimits = Object.keys(profileLimits[asked]).length > 0;
  const isInProcess = flags.isInProcess === true || hasLimits;
  if (isInProcess && flags.state !== undefined) {
    const why = flags.isInProcess === true ? "--in-process" : `--tools ${asked}`;
    throw new LimpetError(
      "BAD_OPTION",
      `--state is the directory of a host, and with ${why} there is none: sessions are kept in this process. Leave one of them out.`,
    );
  }
  return {
    profile: asked,
    isInProcess,
    stateDirectory: stateDirectory(flags, env),
    caller: flags.caller ?? env["LIMPET_CALLER"] ?? starterName(),
  };
}

/** A server that was killed is started again by the same client, and goes on where it was. Of several at once, the host tells them apart. */
function starterName(): string | undefined {
  const starter = readProcess(process.ppid);
  return starter && `mcp ${starter.pid}-${starter.startTime}`;
}

function isProfile(name: string): name is ProfileName {
  return Object.hasOwn(profileLimits, name);
}

/** Where clients keep their files, and what starts the server from there. */
export function setupSettings(
  env: NodeJS.ProcessEnv = process.env,
  argv: readonly string[] = process.argv,
): ClientDirectories & { readonly server: ServerCommand } {
  return {
    home: env["HOME"] ?? homedir(),
    configHome: env["XDG_CONFIG_HOME"],
    codexHome: env["CODEX_HOME"],
    server: serverCommand(argv),
  };
}

export function doctorSettings(env: NodeJS.ProcessEnv = process.env): DoctorRequest {
  return { stateDirectory: stateDirectory({}, env), path: env["PATH"] ?? "" };
}

/** Where the host of this user has its socket and its journals: always a full path, for a host is started elsewhere. */
export function stateDirectory(
  { state }: { readonly state?: string | undefined } = {},
  env: NodeJS.ProcessEnv = process.env,
): string {
  // An empty variable is one that is not set; a relative XDG path is to be ignored, says its specification.
  const xdg = env["XDG_STATE_HOME"] ?? "";
  const stateHome = isAbsolute(xdg) ? xdg : join(env["HOME"] || homedir(), ".local", "state");
  return resolve(state || env["LIMPET_HOME"] || userConfig(env).state || join(stateHome, "limpet"));
}

/** Installed for all, it is found by its name; inside a project or a clone, only by its file. */
function serverCommand([node = "node", file = ""]: readonly string[]): ServerCommand {
  const isForAll = basename(file) === "limpet" && basename(dirname(file)) !== ".bin";
  if (isForAll) return { command: "limpet", args: ["mcp"] };
  return { command: node, args: [realpathSync(file), "mcp"] };
}
