/**
 * A home of its own for a run of tests, so that no program of theirs writes into the person's: histories, settings,
 * caches. It also keeps the person's settings from the tests.
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
// Each of these leads a program to a person's files, or changes what it does.
const personal = /^(?:XDG_|LIMPET_(?:HOME|TOOLS|CALLER)$|HISTFILE$|ZDOTDIR$|VIMINIT$|LESSHISTFILE$|INPUTRC$)/;

/** Makes the folders below `home`; returns `env` with them in place of the person's. */
export function envAtHome(env, home) {
  const own = { HOME: home };
  for (const [name, folder] of Object.entries(folders)) {
    own[name] = join(home, folder);
    mkdirSync(own[name], { recursive: true, mode: 0o700 });
  }
  const others = Object.entries(env).filter(([name]) => !personal.test(name));
  return { ...Object.fromEntries(others), ...own };
}
