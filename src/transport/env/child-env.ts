/**
 * Builds the environment of a program from that of this process. Without other instructions the program counts as an
 * agent's: it does not get variables that look like secrets.
 */
import { existsSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { workingDirectory } from "../../base/working-directory.ts";
import { MARK_VARIABLE } from "../../linux/processes/processes.ts";
import { type SelectedEnv, type SelectOptions, selectEnv } from "./select-env.ts";

const TERM = "xterm-256color";
/** The host's directory: without it, `limpet` in a session would start another host. */
const HOME_VARIABLE = "LIMPET_HOME";
/** Where the user's screen is: for hooks, which may show something there. */
const DESKTOP = "DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS";
/** The variables that a host itself needs. The last one is how our tests find processes that they left behind. */
const HOST_NEEDS: ReadonlySet<string> = new Set(
  `HOME USER LOGNAME SHELL PATH LANG TMPDIR TZ XDG_CONFIG_HOME ${DESKTOP} LIMPET_TEST_RUN`.split(" "),
);

/** Contexts, endpoints and files of docker and podman, and the agent for an engine that is reached over ssh. */
const ENGINE_NEEDS = /^(?:(?:DOCKER|CONTAINERS?|PODMAN)_\w+|SSH_AUTH_SOCK)$/;

const KNOWN_SHELLS: ReadonlySet<string> = new Set(["bash", "zsh", "sh", "dash", "ash", "ksh", "mksh", "fish"]);
/** The first of these that exists: a container may have no bash. */
const FALLBACK_SHELLS: readonly string[] = ["/bin/bash", "/bin/sh"];

interface SessionMark {
  readonly id: number;
  readonly mark: string;
}

/**
 * What a program inherits, plus the terminal type and the identity of the session. Default of `base`: the variables of
 * this process for an agent's programs.
 */
export function defaultEnv(
  { id, mark }: SessionMark,
  base: Readonly<Record<string, string>> = ownEnv({ for: "agent" }).env,
): Record<string, string> {
  return Object.assign(passedOnEnv(base), { TERM, LIMPET_SESSION_ID: String(id), [MARK_VARIABLE]: mark });
}

/** The variables of this process that its programs get. */
export function ownEnv(options: SelectOptions): SelectedEnv {
  return selectEnv(process.env, options);
}

/**
 * Adds the directory of the host that the program belongs to, for `limpet` in the program. Default: that of this
 * process.
 */
export function passedOnEnv(
  env: Readonly<Record<string, string>>,
  home: string | undefined = process.env[HOME_VARIABLE],
): Record<string, string> {
  // Made absolute, because the program may start in another directory.
  return home ? { ...env, [HOME_VARIABLE]: isAbsolute(home) ? home : join(workingDirectory(), home) } : { ...env };
}

/**
 * The environment of a host, without variables that describe where it was started: each client passes those for its
 * programs.
 */
export function hostEnv(): Record<string, string> {
  const { env } = ownEnv({ for: "agent" });
  return Object.fromEntries(Object.entries(env).filter(([name]) => HOST_NEEDS.has(name)));
}

/** They describe the login that started a host, which outlives it. */
const OF_A_LOGIN = /^SSH_/;

/**
 * The environment of a host that is started over a link. Its programs have no other one to inherit: that of the login,
 * or of the container, without what looks like a secret.
 */
export function loginEnv(): Record<string, string> {
  const { env } = ownEnv({ for: "agent" });
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_LOGIN.test(name)));
}

/** The variables of the command line tools of container engines, by which they find their engine. */
export function engineEnv(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name, value]) => value !== undefined && ENGINE_NEEDS.test(name));
  return { ...hostEnv(), ...(Object.fromEntries(own) as Record<string, string>) };
}

/** For a command that must not ask anybody: without it, ssh and what it starts may open a window for a password. */
export function unattendedEnv(): Record<string, string | undefined> {
  return { ...process.env, SSH_ASKPASS_REQUIRE: "never" };
}

/** The user's shell, if it is known to run a command with `-c`. */
export function defaultShell(): string {
  const shell = process.env["SHELL"] ?? "";
  return KNOWN_SHELLS.has(basename(shell)) ? shell : fallbackShell();
}

/** For a user whose own shell does not serve. */
export function fallbackShell(): string {
  return FALLBACK_SHELLS.find((path) => existsSync(path)) ?? "/bin/bash";
}

/** Whether `word` could name a shell: a known name, or the path of any program. */
export function looksLikeShell(word: string): boolean {
  return word.includes("/") || KNOWN_SHELLS.has(word);
}
