/** The arguments for the system's ssh, which uses the user's configuration, keys and known hosts. */
import { LimpetError } from "../../base/limpet-error.ts";

/** The destination of ssh. */
export interface SshTarget {
  /** A host, an alias of the configuration, or user@host. */
  readonly destination: string;
  /** An ssh_config(5) to use instead of the user's. An absolute path. */
  readonly config?: string;
}

/**
 * Which connection a call uses. `user`: that of the user's control master if it runs, otherwise a new one. `shared`:
 * that of limpet's control master; the first call becomes that master. `socket` may contain tokens of ssh, such as
 * `%C`.
 */
export type SshConnection = { readonly kind: "user" } | { readonly kind: "shared"; readonly socket: string };

/** limpet's control master ends when it was not used for this long. */
const PERSIST_S = 600;

/**
 * Settings that override the configuration: forward nothing, run only our command, and detect a dead link. Host keys
 * are checked as the user has configured it. `BatchMode` refuses unknown ones.
 */
const FIXED = [
  "ForwardAgent=no",
  "ForwardX11=no",
  "ClearAllForwardings=yes",
  "Tunnel=no",
  "PermitLocalCommand=no",
  "RemoteCommand=none",
  "RequestTTY=no",
  "ServerAliveInterval=15",
  "ServerAliveCountMax=3",
];

/** Runs `command` in the login shell of the destination. Never prompts. */
export function sshArgv(target: SshTarget, connection: SshConnection, command: string): readonly string[] {
  return argv(target, ["BatchMode=yes", ...FIXED, ...connectionSettings(connection)], command);
}

/** Logs in and ends. Prompts on its terminal, and leaves a control master running. */
export function loginArgv(target: SshTarget, socket: string): readonly string[] {
  const settings = ["BatchMode=no", ...FIXED, ...connectionSettings({ kind: "shared", socket })];
  return argv(target, settings, "exec /bin/sh -c true");
}

/** Runs the control master itself. It prompts on its terminal, and runs until it is ended. */
export function masterArgv(target: SshTarget, socket: string): readonly string[] {
  const settings = ["BatchMode=no", ...FIXED, "ControlMaster=yes", `ControlPath=${socket}`, "ControlPersist=no"];
  return argv(target, settings, "-N");
}

/** Checks whether a control master runs, or ends it. Without `socket`, uses that of the user. */
export function controlArgv(order: "check" | "exit", target: SshTarget, socket?: string): readonly string[] {
  const settings = ["BatchMode=yes", ...(socket === undefined ? [] : [`ControlPath=${socket}`])];
  const [ssh, ...rest] = argv(target, settings);
  return [ssh as string, "-O", order, ...rest];
}

function connectionSettings(connection: SshConnection): readonly string[] {
  if (connection.kind === "user") return ["ControlMaster=no"];
  return ["ControlMaster=auto", `ControlPath=${connection.socket}`, `ControlPersist=${PERSIST_S}`];
}

/** `last`: `-N`, or the command. */
function argv({ destination, config }: SshTarget, settings: readonly string[], last?: string): readonly string[] {
  requireDestination(destination);
  const options = [
    "-T",
    ...(last === "-N" ? ["-N"] : []),
    ...(config === undefined ? [] : ["-F", config]),
    ...settings.flatMap((setting) => ["-o", setting]),
  ];
  return ["ssh", ...options, "--", destination, ...(last === undefined || last === "-N" ? [] : [last])];
}

/** A destination that starts with a hyphen would be an option, and ssh expands some characters in its configuration. */
export function requireDestination(destination: string): void {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.@:%[\]-]*$/u.test(destination) && destination.length <= 255) return;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(destination.slice(0, 100))} is not a destination for ssh. Use a host, an alias of your ssh configuration, or user@host.`,
  );
}
