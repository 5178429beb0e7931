/** Connects to the host of a state directory. */
import { resolve } from "node:path";
import { builtFile } from "../../base/built-file.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { findProject } from "../../service/owners/find-project.ts";
import type { Scope } from "../../session/registry/resolve-session.ts";
import { starterOf } from "../starter.ts";
import type { Connect } from "./connect-request.ts";
import { type EnvProvider, type HostClient, hostClient } from "./host-client.ts";
import type { ClientIdentity } from "./host-link.ts";

/** Which host to use, and how to start it. */
export interface ConnectOptions {
  /** Created if it does not exist. Other users must not be able to read it. */
  readonly stateDirectory: string;
  /** The command that starts a host. Default: `limpet host run` of this package. */
  readonly command?: readonly [program: string, ...args: string[]];
  /** The environment for programs. Default: the variables of this process that do not look like secrets. */
  readonly env?: EnvProvider;
  /**
   * Names and lists refer to the sessions of this folder. Default: the repository around the working directory, else
   * the working directory.
   */
  readonly project?: string;
  /** `user`: names and lists reach the sessions of all projects, as for a person. Default `project`. */
  readonly reach?: Scope["reach"];
}

/** Runs the command line of this package. */
export function ownCommand(): readonly [program: string, main: string] {
  return [process.execPath, ownMain()];
}

function ownMain(): string {
  const main = builtFile("bin/main.js");
  if (main !== undefined) return main;
  throw new LimpetError(
    "HOST_START_FAILED",
    "The command line of limpet is not beside this program, so no host can be started. If a bundler built this program, mark limpet as external.",
  );
}

/** The sessions of a host. The first call connects, and starts the host if none runs. */
export function connectHost({ command, ...options }: ConnectOptions): HostClient {
  // The host starts in another directory.
  const stateDirectory = resolve(options.stateDirectory);
  const connect: Connect = async ({ mayStart, signal }) => {
    // Loaded at the first call, because sockets and child processes are slow to load and a server must answer soon.
    const { reachHost } = await import("./reach-host.ts");
    return await reachHost(stateDirectory, {
      signal,
      ...(mayStart ? { startWith: () => command ?? ownCommand() } : {}),
    });
  };
  const env = options.env ? { env: options.env } : {};
  return hostClient(connect, { stateDirectory, identity: () => identityOf(options), ...env });
}

function identityOf({ project, reach = "project" }: Pick<ConnectOptions, "project" | "reach">): ClientIdentity {
  // A command of a person is never restarted, so the host need not know its starter.
  const starter = reach === "user" ? undefined : starterOf(process.ppid);
  return { scope: { project: project ?? ownProject(), reach }, ...(starter === undefined ? {} : { starter }) };
}

/** Null if the working directory was deleted. */
function ownProject(): string | null {
  try {
    return findProject(workingDirectory());
  } catch {
    return null;
  }
}
