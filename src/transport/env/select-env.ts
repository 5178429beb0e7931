/** Decides which variables of a process its programs get. Pure. */
import { looksSecret } from "./looks-secret.ts";

/** What the user's `config.json` says about variables. Names may contain `*`. */
export interface EnvRules {
  /** Passed on although they look like secrets. */
  readonly pass?: readonly string[];
  /** Withheld from agents, in addition to what looks like a secret. */
  readonly withhold?: readonly string[];
  /** Set for every program. */
  readonly set?: Readonly<Record<string, string>>;
}

export interface SelectOptions {
  /** A person's own programs get everything. An agent's do not get secrets. */
  readonly for: "person" | "agent";
  readonly rules?: EnvRules;
}

export interface SelectedEnv {
  readonly env: Record<string, string>;
  /** The names of variables that an agent does not get. */
  readonly withheld: readonly string[];
}

/**
 * They describe another terminal, another process or another session than the program's own. The credentials of a
 * fleet are for hosts and their clients only.
 */
const DESCRIBE_THE_CALLER = [
  "TERM COLUMNS LINES COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID VTE_VERSION WINDOWID WT_SESSION",
  "TMUX TMUX_PANE STY SSH_TTY GPG_TTY TTY KITTY_* ITERM_* WEZTERM_* ALACRITTY_* GHOSTTY_*",
  "_ PWD OLDPWD SHLVL INIT_CWD NODE_CHANNEL_* NODE_UNIQUE_ID ELECTRON_RUN_AS_NODE",
  "LIMPET_SESSION_ID LIMPET_SESSION_MARK LIMPET_HOME LIMPET_FLEET_*",
]
  .join(" ")
  .split(" ");
/** npm and npx set them for the server that they start. */
const SET_BY_NPM = ["npm_*"];
const DROPPED_FOR = {
  person: matcher(DESCRIBE_THE_CALLER),
  agent: matcher([...DESCRIBE_THE_CALLER, ...SET_BY_NPM]),
};

type Variables = Readonly<Record<string, string | undefined>>;

export function selectEnv(all: Variables, { for: who, rules = {} }: SelectOptions): SelectedEnv {
  const { pass = [], withhold = [], set = {} } = rules;
  const isDropped = DROPPED_FOR[who];
  const isWithheld = matcher(withhold);
  const isPassed = matcher(pass);
  const env: Record<string, string> = {};
  const withheld: string[] = [];
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined || name === "" || isDropped(name)) continue;
    const isSecret = isWithheld(name) || (looksSecret(name, value) && !isPassed(name));
    if (who === "agent" && isSecret) withheld.push(name);
    else env[name] = value;
  }
  return { env: { ...env, ...set }, withheld: withheld.filter((name) => !Object.hasOwn(set, name)).sort() };
}

/**
 * Adds what a login shell would set. The caller's own values win. Directories of both are in PATH, the caller's first.
 */
export function mergeLoginEnv(
  own: Readonly<Record<string, string>>,
  login: Readonly<Record<string, string>>,
): Record<string, string> {
  const path = [...new Set([own["PATH"], login["PATH"]].flatMap((each) => each?.split(":") ?? []))];
  const merged: Record<string, string> = { ...login, ...own };
  return path.length === 0 ? merged : { ...merged, PATH: path.filter((each) => each !== "").join(":") };
}

/** Most patterns are whole names: every start of a program compares a hundred variables with all of them. */
function matcher(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const wild = patterns.filter((pattern) => pattern.includes("*"));
  return (name) => names.has(name) || wild.some((pattern) => matches(pattern, name));
}

/** `*` stands for any characters. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (!name.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? "";
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length >= at + last.length && name.endsWith(last);
}
