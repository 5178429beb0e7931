/** Sessions in a host, which outlive this process. */
import { LimpetError } from "../base/limpet-error.ts";
import { wrongType } from "../base/require-env.ts";
import { connectHost } from "../host/client/connect-host.ts";
import type { HostClient } from "../host/client/host-client.ts";
import type { CopiedFile } from "../host/files/file-parts.ts";
import type { HostStatus } from "../host/protocol.ts";
import type { PlaceAddress } from "../places/place-address.ts";
import type { SessionKey } from "../service/listing/session-name.ts";
import type { SessionSummary } from "../service/listing/session-summary.ts";
import type { SessionService } from "../service/session-service.ts";
import { CONNECT } from "./option-names.ts";
import { requireOptions, requireText, requireWord } from "./require-options.ts";
import type { CommandResult } from "./run-command.ts";
import type { Session } from "./session.ts";
import type { Shell, ShellOptions } from "./shell.ts";
import { type OpenOptions, type ProgramOptions, type RunOptions, Terminals } from "./terminals.ts";

/** Which host to use, and how to start it. */
export interface ConnectOptions {
  /**
   * The directory of the host, which other users must not be able to read. Default: the same as for the command line.
   */
  readonly stateDirectory?: string;
  /** The command that starts a host. Default: `limpet host run` of this package. */
  readonly command?: readonly [program: string, ...args: string[]];
  /**
   * Names and lists refer to the sessions of this folder. Default: the repository around the working directory, else
   * the working directory.
   */
  readonly project?: string;
  /** `user`: names and lists reach the sessions of all projects, as on the command line. Default `project`. */
  readonly reach?: "project" | "user";
  /**
   * Where the host is: `ssh:HOST`, `docker:NAME`, `podman:NAME`, `image:NAME`, a name from `config.json`, or how to
   * reach it. Default: this machine. Programs there inherit nothing from this process; paths are relative to the home
   * directory there, and without `project`, names and lists refer to all sessions of that user.
   */
  readonly place?: PlaceAddress;
  /**
   * Who answers if ssh must ask for a password, a second factor or the trust in a host key: the person at this
   * process's `terminal`, a person who attaches to a `session` of this machine, or `nobody`. Default `nobody`: the call
   * fails with the words of ssh.
   */
  readonly asks?: "terminal" | "session" | "nobody";
}

/** A host and its sessions. */
export interface Host {
  /** Like `open`, but the program outlives this process. */
  open(what: string | ProgramOptions, options?: OpenOptions): Promise<Session>;
  openShell(options?: ShellOptions): Promise<Shell>;
  run(command: string, options?: RunOptions): Promise<CommandResult>;
  /** An existing session, by its id or name. */
  session(key: SessionKey): Promise<Session>;
  /**
   * Sessions of the project that run, left processes running or were lost; with `ended` also the others, with `all`
   * also those of other projects.
   */
  list(options?: { readonly ended?: boolean; readonly all?: boolean }): Promise<readonly SessionSummary[]>;
  /**
   * Copies a file to where the host is, with its permissions. `path` is relative to the home directory there; in a
   * directory, the file keeps its name. A file that is there is replaced when all of the new one has arrived.
   */
  put(file: string | AsyncIterable<Uint8Array>, path: string): Promise<CopiedFile>;
  /** Copies a file from where the host is, in the same way. */
  get(path: string, file: string): Promise<CopiedFile>;
  /** Undefined if no host runs; never starts one. */
  status(): Promise<HostStatus | undefined>;
  /** Ends the host and all its sessions. Resolves when it has ended; false if none was running. */
  stop(): Promise<boolean>;
  /** Closes the connection; the sessions continue. */
  close(): Promise<void>;
  /** The interface for tools and adapters. */
  readonly service: SessionService;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects to the user's host, or to that of a place: `connect("ssh:me@build")`. The first call starts it if none runs.
 */
export async function connect(options: ConnectOptions | string = {}): Promise<Host> {
  const given = typeof options === "string" ? { place: options } : options;
  requireConnectOptions(given);
  const client = await clientOf(given);
  const terminals = new Terminals(client);
  const close = async () => client.disconnect();
  return {
    open: (what, given) => terminals.open(what, given),
    run: (line, given) => terminals.run(line, given),
    openShell: (given) => terminals.openShell(given),
    session: (key) => terminals.session(key),
    list: (given) => terminals.list(given),
    put: async (file, path) => (await copying()).putFile(client.files, { from: file, to: path }),
    get: async (path, file) => (await copying()).getFile(client.files, { from: path, to: file }),
    status: () => client.hostStatus(),
    stop: () => client.stopHost(),
    close,
    service: client,
    [Symbol.asyncDispose]: close,
  };
}

/** The host would report some of these mistakes late, and others never. */
function requireConnectOptions(options: ConnectOptions): void {
  requireOptions(
    "connect",
    options,
    CONNECT,
    'Write connect(), connect("ssh:me@build") or connect({ project: "/srv/app" }).',
  );
  const { stateDirectory, command, project, reach, asks } = options;
  if (stateDirectory !== undefined) requireText("stateDirectory", stateDirectory);
  if (project !== undefined) requireText("project", project);
  if (command !== undefined && !(Array.isArray(command) && command.every((word) => typeof word === "string")))
    throw wrongType("command", command, "an array of strings");
  if (reach !== undefined) requireWord("reach", reach, ["project", "user"]);
  if (asks !== undefined) requireWord("asks", asks, ["terminal", "session", "nobody"]);
}

/** Loaded on first use, because few programs copy files. */
const copying = () => import("../places/files/copy-file.ts");

async function clientOf({ place, ...options }: ConnectOptions): Promise<HostClient> {
  const { stateDirectory = await ownStateDirectory(), asks, ...rest } = options;
  if (place === undefined) return connectHost({ ...rest, stateDirectory });
  const given = ["command", "reach"].filter((name) => name in rest);
  if (given.length > 0)
    throw new LimpetError("BAD_OPTION", `${given.join(" and ")} cannot be used with a place. Leave it out.`);
  const [{ connectPlace }, { knownPlace }] = await Promise.all([
    import("../places/connect-place.ts"),
    import("../places/known-place.ts"),
  ]);
  return connectPlace({
    place: knownPlace(place),
    stateDirectory,
    ...(rest.project === undefined ? {} : { project: rest.project }),
    ...(asks === undefined ? {} : { asks }),
  });
}

/** Loaded on first use, because it reads the user's config.json. */
async function ownStateDirectory(): Promise<string> {
  const { defaultStateDirectory } = await import("../config/default-state-directory.ts");
  return defaultStateDirectory();
}
