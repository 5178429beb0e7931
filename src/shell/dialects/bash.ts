/**
 * bash.
 *
 * Users may have functions and aliases of any name. Aliases do not apply to a word with a backslash. Functions win over
 * all builtins, but not over the special ones (eval, set, unset, export) in POSIX mode, which an assignment switches
 * on. In that mode we make sure that `builtin` is the builtin, and reach all others through it. The command itself runs
 * without POSIX mode. In POSIX mode aliases do not apply to reserved words; before it, we use only a brace.
 *
 * `$(<file)` reads a file without a process of its own. Unlike `.`, it calls no trap, and `eval` lets the command use
 * `return` and its traps as if it were typed.
 */

import {
  type Dialect,
  endFormat,
  type FrameRequest,
  KEEP_STATUS,
  KEY,
  quiet,
  RAN,
  STATUS,
  startFormat,
} from "./dialect.ts";

/**
 * The state of these options after POSIX mode was switched on and off. If the user had another state, it is restored.
 */
const AFTER_POSIX_MODE = {
  expand_aliases: "on",
  inherit_errexit: "on",
  interactive_comments: "on",
  shift_verbose: "off",
  sourcepath: "on",
} as const;

const POSIX_MODE = "POSIXLY_CORRECT=$" + "{POSIXLY_CORRECT-}";
const [POSIX, SHOPT, OPTIONS, TAKEN] = ["_limpet_p", "_limpet_o", "_limpet_f", "_limpet_b"];

const FILES = { none: ["--noprofile", "--norc"], rc: [], login: ["-l"] } as const;

/**
 * The shell's lines are read without a line editor. But if a command switches the editor on within `eval`, bash forgets
 * the rest of that text, unless an editor is on already. So an editor is on while the command runs.
 */
export const bash: Dialect = {
  names: ["bash"],
  editsLines: false,
  args: ({ startFiles }) => ["--noediting", ...FILES[startFiles], ...["-i", "+o", "history"]],
  hasHooks: (flags) => parseFlags(flags).hasHooks,
  hasHadJobs: (flags) => parseFlags(flags).hasHadJobs,
  key: (nonce) => `${nonce}\n`,
  frame(request, promptNonce) {
    const { command, redirects, paths } = request;
    // Saved before POSIX mode changes them. A command that starts unsets them, because it may change them itself.
    const before = `${POSIX}=\${POSIXLY_CORRECT+p}x ${SHOPT}=$BASHOPTS;${POSIX_MODE};\\set -o emacs`;
    const run = `${before};\\eval "$(<${paths.command})"${redirects};`;
    const after = [
      `${KEEP_STATUS} ${POSIX}=\${${POSIX}-\${POSIXLY_CORRECT+p}} ${SHOPT}=\${${SHOPT}-$BASHOPTS} ${OPTIONS}=$- ${POSIX_MODE}`,
      "\\set +o vi +o emacs",
      `\\eval "$(<${paths.end})" >/dev/null 2>&1`,
    ];
    const report = quiet(after.join(";"), request, parseFlags(request.flags).isBraceAlias);
    return {
      line: `${command === undefined ? "" : run}${report}`,
      command: command === undefined ? "" : `${headOf(request)}\n${command}`,
      end: endOf(request, promptNonce),
    };
  },
};

interface Flags {
  /** The letters of `$-`. */
  readonly options: string;
  readonly isPosix: boolean;
  readonly isBuiltinTaken: boolean;
  readonly hasHooks: boolean;
  readonly hasHadJobs: boolean;
  readonly isBraceAlias: boolean;
  readonly shopt: ReadonlySet<string>;
}

function parseFlags(flags: string): Flags {
  const [options = "", posix = "", taken = "", hooks = "", shopt = ""] = flags.split("|");
  return {
    options,
    isPosix: posix.startsWith("p"),
    isBuiltinTaken: taken !== "",
    hasHooks: hooks.includes("h"),
    hasHadJobs: hooks.includes("j"),
    isBraceAlias: hooks.includes("a"),
    shopt: new Set(shopt.split(":")),
  };
}

/**
 * bash reports ended jobs after it has waited for any program, that is, in the middle of the next command that starts
 * one. This makes bash report them before the command. A command that asks for jobs gets the report itself.
 */
const REPORT_JOBS = "\\builtin jobs -n >/dev/tty||\\builtin :";
/** After this, the report above omits jobs that were running already. Uses no reserved words, which may be aliases. */
const KNOW_RUNNING_JOBS = "\\builtin jobs -r||\\builtin :";

/** Runs in POSIX mode, and leaves it. */
function headOf({ nonce, flags, status, command = "" }: FrameRequest): string {
  const { options, isPosix, isBuiltinTaken, hasHadJobs, shopt } = parseFlags(flags);
  const steps = [
    `\\unset -v ${STATUS} ${POSIX} ${SHOPT}`,
    `${RAN}=r`,
    ...(isBuiltinTaken ? [`${TAKEN}=$(\\unset -f declare;declare -f builtin)`, "\\unset -f builtin"] : []),
    ...[..."xv"].filter((letter) => options.includes(letter)).map((letter) => `\\set -${letter}`),
    ...(isPosix ? [] : ["\\unset -v POSIXLY_CORRECT", ...restoreKnown(shopt)]),
    ...(hasHadJobs && !/\bjobs\b/.test(command) ? [REPORT_JOBS] : []),
    `\\builtin printf '${startFormat(nonce)}' >/dev/tty`,
    ...(isBuiltinTaken ? [restoreBuiltin([TAKEN])] : []),
    // The first command of an && list neither ends a shell with -e nor calls a trap.
    ...(status === 0 ? [] : [`(\\exit ${status})&&:`]),
  ];
  return `{ ${steps.join(";")};} >/dev/null 2>&1`;
}

function restoreKnown(shopt: ReadonlySet<string>): string[] {
  const changes = Object.entries(AFTER_POSIX_MODE).filter(([option, state]) => shopt.has(option) !== (state === "on"));
  return changes.map(([option, state]) => `\\builtin shopt -${state === "on" ? "u" : "s"} ${option}`);
}

/** Restores the user's function named `builtin`, and unsets our variables. */
function restoreBuiltin(ours: readonly (string | undefined)[]): string {
  return `\\builtin eval "\\builtin unset -v ${ours.join(" ")};\${${TAKEN}}"`;
}

function endOf({ nonce, command, paths }: FrameRequest, promptNonce: string): string {
  const fields = `"$${STATUS}" "\${${RAN}-}" "$${OPTIONS}|$${POSIX}|\${${TAKEN}:+b}|\${PROMPT_COMMAND[*]:+h}\${!:+j}\${BASH_ALIASES['{']+a}|$${SHOPT}" "\${PWD-}"`;
  const print = (key: string) => `\\builtin printf '${endFormat(nonce)}' ${key} ${fields} >/dev/tty`;
  // Read and printed by one command, so that no trap comes in between. Before 5.2 that takes a process.
  const answer = `case $BASH_VERSION in [1-4].*|5.[01].*)\\builtin read -r ${KEY} <${paths.keyGate};${print(`"$${KEY}"`)};;*)${print(`"$(<${paths.keyGate})"`)};;esac`;
  const steps = [
    `if \\export -nf builtin;then ${TAKEN}=$(\\unset -f declare;declare -f builtin);\\unset -f builtin;else ${TAKEN}=;fi`,
    "\\set +vx +o history",
    `case $${POSIX} in p*);;*)\\unset -v POSIXLY_CORRECT;${restoreUnknown(`$${SHOPT}`)};esac`,
    // Otherwise a shell inside this one would inherit our prompt.
    "\\builtin export -n PS1",
    KNOW_RUNNING_JOBS,
    command === undefined ? answer : print(nonce),
    `\\builtin : <${paths.endGate}`,
    restoreBuiltin([KEY, RAN, POSIX, SHOPT, OPTIONS, TAKEN]),
    // Last: if PS1 is readonly, the error aborts this line and returns the shell to its prompt.
    `PS1='\\e]6973;p;${promptNonce}\\a'`,
    "PS2=",
  ];
  return steps.join("\n");
}

function restoreUnknown(shopt: string): string {
  const cases = Object.entries(AFTER_POSIX_MODE).map(([option, state]) =>
    state === "on"
      ? `case :${shopt}: in *:${option}:*);;*)\\builtin shopt -u ${option};;esac`
      : `case :${shopt}: in *:${option}:*)\\builtin shopt -s ${option};;esac`,
  );
  return `${cases.join(";")};`;
}
