/**
 * bash.
 *
 * Users may have functions and aliases of any name. Aliases do not apply to a word with a backslash. Functions win over
 * all builtins, but not over the special ones (eval, set, unset, export) in POSIX mode, which an assignment switches
 * on. In that mode we make sure that `builtin` is the builtin, and reach all others through it. The command itself runs
 * without POSIX mode. In POSIX mode aliases do not apply to reserved words; before it, we use only a brace.
 */

import { type Dialect, endFormat, type FrameRequest, quiet, startFormat, variableNames } from "./dialect.ts";
import { dollarQuote } from "./quote.ts";

/** The state of these options after POSIX mode was switched on and off. If the user had another one, it is restored. */
const AFTER_POSIX_MODE = {
  expand_aliases: "on",
  inherit_errexit: "on",
  interactive_comments: "on",
  shift_verbose: "off",
  sourcepath: "on",
} as const;

const POSIX_MODE = "POSIXLY_CORRECT=$" + "{POSIXLY_CORRECT-}";

/**
 * Our lines are read without a line editor. But a command that switches one on within `eval` makes bash forget the rest
 * of that text, unless one is on already; so one is on while the command runs.
 */
export const bash: Dialect = {
  names: ["bash"],
  editsLines: false,
  args: ({ login }) => ["--noediting", ...(login ? ["-l"] : ["--noprofile", "--norc"]), ...["-i", "+o", "history"]],
  hasHooks: (flags) => parseFlags(flags).hasHooks,
  hasHadJobs: (flags) => parseFlags(flags).hasHadJobs,
  frame(request, promptNonce) {
    const tail = quiet(tailOf(request, promptNonce), request, parseFlags(request.flags).isBraceAlias);
    if (request.command === undefined) return [tail];
    const program = `${headOf(request)}\n${request.command}`;
    return [`${POSIX_MODE};\\set -o emacs;\\eval `, ...dollarQuote(program), `${request.redirects};`, tail];
  },
};

interface Flags {
  /** As in `$-`. */
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
    isPosix: posix !== "",
    isBuiltinTaken: taken !== "",
    hasHooks: hooks.includes("h"),
    hasHadJobs: hooks.includes("j"),
    isBraceAlias: hooks.includes("a"),
    shopt: new Set(shopt.split(":")),
  };
}

/** Runs in POSIX mode, and leaves it. */
function headOf({ nonce, flags, status }: FrameRequest): string {
  const name = variableNames(nonce);
  const { options, isPosix, isBuiltinTaken, shopt } = parseFlags(flags);
  const steps = [
    ...(isBuiltinTaken ? [`${name("b")}=$(\\unset -f declare;declare -f builtin)`, "\\unset -f builtin"] : []),
    ...[..."xv"].filter((letter) => options.includes(letter)).map((letter) => `\\set -${letter}`),
    ...(isPosix ? [] : ["\\unset -v POSIXLY_CORRECT", ...restoreKnown(shopt)]),
    `\\builtin printf '${startFormat(nonce)}' >/dev/tty`,
    ...(isBuiltinTaken ? [restoreBuiltin(name("b"), [name("b")])] : []),
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
function restoreBuiltin(taken: string, ours: readonly string[]): string {
  return `\\builtin eval "\\builtin unset -v ${ours.join(" ")};\${${taken}}"`;
}

function tailOf({ nonce }: FrameRequest, promptNonce: string): string {
  const name = variableNames(nonce);
  const [status, posix, shopt, options, taken] = ["s", "p", "o", "f", "b"].map(name);
  const before = `${status}=$? ${posix}=\${POSIXLY_CORRECT+p} ${shopt}=$BASHOPTS ${options}=$- ${POSIX_MODE}`;
  const program = [
    `if \\export -nf builtin;then ${taken}=$(\\unset -f declare;declare -f builtin);\\unset -f builtin;else ${taken}=;fi`,
    "\\set +vx +o history",
    `case $${posix} in p);;*)\\unset -v POSIXLY_CORRECT;${restoreUnknown(`$${shopt}`)};esac`,
    // A shell within this one would use our prompt as its own.
    "\\builtin export -n PS1",
    `\\builtin printf '${endFormat(nonce)}' "$${status}" "$${options}|$${posix}|\${${taken}:+b}|\${PROMPT_COMMAND[*]:+h}\${!:+j}\${BASH_ALIASES['{']+a}|$${shopt}" "$PWD" >/dev/tty`,
    restoreBuiltin(
      taken ?? "",
      [status, posix, shopt, options, taken].filter((each) => each !== undefined),
    ),
    // Last: if it is readonly, the error throws the shell back to its prompt.
    `PS1='\\e]6973;p;${promptNonce}\\a'`,
    "PS2=",
  ];
  return `${before};\\set +o vi +o emacs;\\eval ${dollarQuote(program.join("\n")).join("")} >/dev/null 2>&1`;
}

function restoreUnknown(shopt: string): string {
  const cases = Object.entries(AFTER_POSIX_MODE).map(([option, state]) =>
    state === "on"
      ? `case :${shopt}: in *:${option}:*);;*)\\builtin shopt -u ${option};;esac`
      : `case :${shopt}: in *:${option}:*)\\builtin shopt -s ${option};;esac`,
  );
  return `${cases.join(";")};`;
}
