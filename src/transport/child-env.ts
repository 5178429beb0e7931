/** The environment a program is given. Ours may hold keys and tokens, so it is never simply passed on. */
import { basename, isAbsolute, join } from "node:path";
import { workingDirectory } from "../base/working-directory.ts";
import { MARK_VARIABLE } from "../linux/processes.ts";

/** What programs need to find their way, and what holds no secret. */
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
/** Where the host is: without it, `limpet` in a session would start another one. */
const HOME_VARIABLE = "LIMPET_HOME";
/** What a host itself cannot do without. */
const HOST_NEEDS: ReadonlySet<string> = new Set(["HOME", "USER", "LOGNAME", "PATH", "LANG", "TMPDIR", "TZ"]);
/** By this, the tests find what they have left behind. */
const TEST_RUN = "LIMPET_TEST_RUN";

const KNOWN_SHELLS: ReadonlySet<string> = new Set(["bash", "zsh", "sh", "dash", "ash", "ksh", "mksh", "fish"]);
const FALLBACK_SHELL = "/bin/bash";

interface SessionMark {
  readonly id: number;
  readonly mark: string;
}

/** An allow-listed copy of ours, the terminal's type, and what tells to which session the program belongs. */
export function defaultEnv({ id, mark }: SessionMark): Record<string, string> {
  return Object.assign(passedOnEnv(), { TERM, LIMPET_SESSION_ID: String(id), [MARK_VARIABLE]: mark });
}

/** The allow-listed copy alone. `home` is the directory of the host that the program is to live in. Default: ours. */
export function passedOnEnv(home: string | undefined = process.env[HOME_VARIABLE]): Record<string, string> {
  const env: Record<string, string> = {};
  // Each read of process.env is a call to the C library, so only what is passed on is read.
  for (const name of Object.keys(process.env)) if (isPassedOn(name)) env[name] = process.env[name] ?? "";
  // The program may be in another directory.
  if (home) env[HOME_VARIABLE] = isAbsolute(home) ? home : join(workingDirectory(), home);
  return env;
}

/** Without what says where its starter was: programs are given that by each client. */
export function hostEnv(): Record<string, string> {
  const own = Object.entries(passedOnEnv()).filter(([name]) => HOST_NEEDS.has(name));
  const run = process.env[TEST_RUN];
  return Object.fromEntries(run === undefined ? own : [...own, [TEST_RUN, run]]);
}

/** The user's own shell, where it is one that runs a command with `-c` as we expect. */
export function defaultShell(): string {
  const shell = process.env["SHELL"] ?? "";
  return KNOWN_SHELLS.has(basename(shell)) ? shell : FALLBACK_SHELL;
}

/** Whether this could be meant as a program that is a shell: by its name, or as the path of any program. */
export function looksLikeShell(word: string): boolean {
  return word.includes("/") || KNOWN_SHELLS.has(word);
}

function isPassedOn(name: string): boolean {
  return PASSED_ON.has(name) || PASSED_ON_PREFIXES.some((prefix) => name.startsWith(prefix));
}
