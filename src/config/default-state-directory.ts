import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { userConfig } from "./user-config.ts";

/**
 * Where this user's host has its socket and journals. Always an absolute path: the host starts in another directory.
 */
export function defaultStateDirectory(env: NodeJS.ProcessEnv = process.env): string {
  // An empty variable counts as unset. The XDG specification says to ignore relative paths.
  const xdg = env["XDG_STATE_HOME"] ?? "";
  const stateHome = isAbsolute(xdg) ? xdg : join(env["HOME"] || homedir(), ".local", "state");
  return resolve(env["LIMPET_HOME"] || userConfig(env).state || join(stateHome, "limpet"));
}
