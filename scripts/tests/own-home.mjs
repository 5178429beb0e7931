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
/**
 * What programs, npm, Node and Vitest need. Everything else may change how a program behaves, and sessions inherit it.
 */
const common =
  /^(?:PATH|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|CI|DEBIAN_FRONTEND|.*_PROXY|.*_proxy|SSL_CERT_.*)$/;
const tools = /^(?:NODE_.*|npm_.*|VITEST.*|V8_.*|LIMPET_.*|PYENV_ROOT|JAVA_HOME|CARGO_HOME|RUSTUP_HOME)$/;
const personal = /^LIMPET_(?:HOME|TOOLS|CALLER)$/;

/** Creates the folders below `home`. Returns `env` with these folders instead of the user's. */
export function envAtHome(env, home) {
  const own = { HOME: home };
  for (const [name, folder] of Object.entries(folders)) {
    own[name] = join(home, folder);
    mkdirSync(own[name], { recursive: true, mode: 0o700 });
  }
  const isKept = (name) => (common.test(name) || tools.test(name)) && !personal.test(name);
  const others = Object.entries(env).filter(([name]) => isKept(name));
  return { ...Object.fromEntries(others), ...own };
}
