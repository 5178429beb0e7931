/**
 * Builds the environment of a program. The environment of this process may contain keys and tokens, so it is never
 * passed on unfiltered.
 */
import { basename, isAbsolute, join } from "node:path";
import { workingDirectory } from "../base/working-directory.ts";
import { MARK_VARIABLE } from "../linux/processes.ts";

/** Variables that programs commonly need and that contain no secrets. */
const PASSED_ON: ReadonlySet<string> = new Set(
  (
    "HOME USER LOGNAME SHELL PATH LANG LANGUAGE TZ TMPDIR HOSTNAME EDITOR VISUAL SSH_AUTH_SOCK " +
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy " +
    "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS " +
    "JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX"
  ).split(" "),
);
const PASSED_ON_PREFIXES = ["LC_", "XDG_"];
const TERM = "xterm-256color";
/** The host's directory: without it, `limpet` in a session would start another host. */
const HOME_VARIABLE = "LIMPET_HOME";
/** The variables that a host itself needs. */
const HOST_NEEDS: ReadonlySet<string> = new Set(["HOME", "USER", "LOGNAME", "PATH", "LANG", "TMPDIR", "TZ"]);
/** The tests use this to find processes they left behind. */
const TEST_RUN = "LIMPET_TEST_RUN";

const KNOWN_SHELLS: ReadonlySet<string> = new Set(["bash", "zsh", "sh", "dash", "ash", "ksh", "mksh", "fish"]);
const FALLBACK_SHELL = "/bin/bash";

interface SessionMark {
  readonly id: number;
  readonly mark: string;
}

/** Allow-listed variables of this process, plus the terminal type and the identity of the session. */
export function defaultEnv({ id, mark }: SessionMark): Record<string, string> {
  return Object.assign(passedOnEnv(), { TERM, LIMPET_SESSION_ID: String(id), [MARK_VARIABLE]: mark });
}

/**
 * Only the allow-listed variables. `home` is the directory of the host that the program belongs to. Default: that of
 * this process.
 */
export function passedOnEnv(home: string | undefined = process.env[HOME_VARIABLE]): Record<string, string> {
  const env: Record<string, string> = {};
  // Each read of process.env is a call into libc, so only the variables that are passed on are read.
  for (const name of Object.keys(process.env)) if (isPassedOn(name)) env[name] = process.env[name] ?? "";
  // Made absolute, because the program may start in another directory.
  if (home) env[HOME_VARIABLE] = isAbsolute(home) ? home : join(workingDirectory(), home);
  return env;
}

/**
 * The environment of a host, without variables that describe where it was started: each client passes those for its
 * programs.
 */
export function hostEnv(): Record<string, string> {
  const own = Object.entries(passedOnEnv()).filter(([name]) => HOST_NEEDS.has(name));
  const run = process.env[TEST_RUN];
  return Object.fromEntries(run === undefined ? own : [...own, [TEST_RUN, run]]);
}

/** The user's shell, if it is known to run a command with `-c`. */
export function defaultShell(): string {
  const shell = process.env["SHELL"] ?? "";
  return KNOWN_SHELLS.has(basename(shell)) ? shell : FALLBACK_SHELL;
}

/** Whether `word` could name a shell: a known name, or the path of any program. */
export function looksLikeShell(word: string): boolean {
  return word.includes("/") || KNOWN_SHELLS.has(word);
}

function isPassedOn(name: string): boolean {
  return PASSED_ON.has(name) || PASSED_ON_PREFIXES.some((prefix) => name.startsWith(prefix));
}
