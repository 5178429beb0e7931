/** How the system's ssh is called: with the user's configuration, keys and known hosts, and without a person. */
import { LimpetError } from "../base/limpet-error.ts";

export interface SshOptions {
  /** An ssh_config(5) to use instead of the user's. */
  readonly config?: string;
}

/**
 * What ssh must do, whatever its configuration says: ask nobody, forward nothing, notice a dead link. Host keys are
 * checked as the user configured it: `BatchMode` refuses unknown ones.
 */
const FIXED = [
  "BatchMode=yes",
  "ForwardAgent=no",
  "ForwardX11=no",
  "ClearAllForwardings=yes",
  "PermitLocalCommand=no",
  "RequestTTY=no",
  "ServerAliveInterval=15",
  "ServerAliveCountMax=3",
];

/** Runs `command` in the login shell of `destination`, which is a host, an alias or user@host. */
export function sshArgv(destination: string, command: string, options: SshOptions = {}): readonly string[] {
  requireDestination(destination);
  const { config } = options;
  const settings = FIXED.flatMap((setting) => ["-o", setting]);
  return ["ssh", "-T", ...(config === undefined ? [] : ["-F", config]), ...settings, "--", destination, command];
}

/** ssh would take one that begins with a hyphen for an option, and expands others in its configuration. */
export function requireDestination(destination: string): void {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.@:%[\]-]*$/u.test(destination) && destination.length <= 255) return;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(destination.slice(0, 100))} is not a destination for ssh. Use a host, an alias of your ssh configuration, or user@host.`,
  );
}
