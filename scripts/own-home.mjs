/**
 * A separate home directory for a test run, so that no program writes to the user's home (histories, settings, caches),
 * and the user's settings do not affect the tests.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const folders = {
  XDG_CACHE_HOME: ".cache",
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_RUNTIME_DIR: ".run",
  XDG_STATE_HOME: ".local/state",
};
// Each of these points a program to the user's files or changes its behaviour.
const personal = /^(?:XDG_|LIMPET_(?:HOME|TOOLS|CALLER)$|HISTFILE$|ZDOTDIR$|VIMINIT$|LESSHISTFILE$|INPUTRC$)/;

/** Creates the folders below `home`. Returns `env` with these folders instead of the user's. */
export function envAtHome(env, home) {
  const own = { HOME: home };
  for (const [name, folder] of Object.entries(folders)) {
    own[name] = join(home, folder);
    mkdirSync(own[name], { recursive: true, mode: 0o700 });
  }
  const others = Object.entries(env).filter(([name]) => !personal.test(name));
  return { ...Object.fromEntries(others), ...own };
}
