/** How the system's ssh is called: with the user's configuration, keys and known hosts. */
import { LimpetError } from "../../base/limpet-error.ts";

/** Whom ssh reaches. */
export interface SshTarget {
  /** A host, an alias of the configuration, or user@host. */
  readonly destination: string;
  /** An ssh_config(5) to use instead of the user's. An absolute path. */
  readonly config?: string;
}

/**
 * Which connection a call uses. `user`: that of the user's control master if it runs, else one of its own. `shared`:
 * that of our control master, which the first call becomes. `socket` may contain tokens of ssh, such as `%C`.
 */
export type SshConnection = { readonly kind: "user" } | { readonly kind: "shared"; readonly socket: string };

/** Our control master ends when nobody has used it for so long. */
const PERSIST_S = 600;

/**
 * What ssh must do, whatever its configuration says: forward nothing, run only our command, notice a dead link. Host
 * keys are checked as the user configured it: `BatchMode` refuses unknown ones.
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

/** Runs `command` in the login shell there. Asks nobody. */
export function sshArgv(target: SshTarget, connection: SshConnection, command: string): readonly string[] {
  return argv(target, ["BatchMode=yes", ...FIXED, ...connectionSettings(connection)], command);
}

/** Logs in and ends. Asks what it must on its terminal, and leaves a control master behind. */
export function loginArgv(target: SshTarget, socket: string): readonly string[] {
  const settings = ["BatchMode=no", ...FIXED, ...connectionSettings({ kind: "shared", socket })];
  return argv(target, settings, "exec /bin/sh -c true");
}

/** The control master itself, which asks what it must on its terminal and runs until it is ended. */
export function masterArgv(target: SshTarget, socket: string): readonly string[] {
  const settings = ["BatchMode=no", ...FIXED, "ControlMaster=yes", `ControlPath=${socket}`, "ControlPersist=no"];
  return argv(target, settings, "-N");
}

/** Asks a control master whether it runs, or ends it. Without `socket`, that of the user. */
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

/** ssh would take one that begins with a hyphen for an option, and expands others in its configuration. */
export function requireDestination(destination: string): void {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.@:%[\]-]*$/u.test(destination) && destination.length <= 255) return;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(destination.slice(0, 100))} is not a destination for ssh. Use a host, an alias of your ssh configuration, or user@host.`,
  );
}
