/**
 * zsh. Aliases do not apply to a word with a backslash, and an assignment to `dis_functions`, which needs no command,
 * disables a function named `builtin`. Aliases do apply to reserved words: we use none but a brace.
 */

import { type Dialect, endFormat, type FrameRequest, quiet, startFormat, variableNames } from "./dialect.ts";
import { dollarQuote } from "./quote.ts";

export const zsh: Dialect = {
  names: ["zsh"],
  editsLines: false,
  args: ({ login }) => [
    "-i",
    ...(login ? ["-l"] : ["-f"]),
    ...["nozle", "nopromptcr", "nopromptsp", "histignorespace"].flatMap((option) => ["-o", option]),
  ],
  hasHooks: (flags) => flags.split("|")[2]?.includes("h") ?? false,
  hasHadJobs: (flags) => flags.split("|")[2]?.includes("j") ?? false,
  frame(request, promptNonce) {
    const tail = quiet(tailOf(request, promptNonce), request, isBraceAlias(request));
    if (request.command === undefined) return [` ${tail}`];
    const [first, ...rest] = dollarQuote(`${optionsOf(request)}${request.command}`);
    return [` ${headOf(request)};\\builtin eval `, first ?? "''", ...rest, `${request.redirects};`, tail];
  },
};

/** The same name for every command, because it cannot be unset at its last use. */
const SAVED = "_limpet_builtin";
const SAVE_BUILTIN = `${SAVED}=\${functions[builtin]} dis_functions[builtin]=$${SAVED}`;
const RESTORE_BUILTIN = `functions[builtin]=$${SAVED} ${SAVED}=`;

function isBraceAlias({ flags }: FrameRequest): boolean {
  return flags.split("|")[2]?.includes("a") ?? false;
}

function headOf(request: FrameRequest): string {
  const { nonce, flags, status } = request;
  const steps = [
    ...(flags.split("|")[1] === "b" ? [SAVE_BUILTIN] : []),
    `\\builtin printf '${startFormat(nonce)}' >/dev/tty`,
    ...(status === 0 ? [] : [`(\\builtin exit ${status})&&\\builtin true`]),
  ];
  return quiet(steps.join(";"), request, isBraceAlias(request));
}

/**
 * Options of the command that must not apply to our own words. They are set in the same text, just before the command.
 */
function optionsOf(request: FrameRequest): string {
  const [options = "", taken = ""] = request.flags.split("|");
  const steps = [
    ...[..."xv"].filter((letter) => options.includes(letter)).map((letter) => `\\builtin set -${letter}`),
    ...(taken === "b" ? [RESTORE_BUILTIN] : []),
  ];
  return steps.length > 0 ? `${quiet(steps.join(";"), request, isBraceAlias(request))};` : "";
}

function tailOf({ nonce }: FrameRequest, promptNonce: string): string {
  const name = variableNames(nonce);
  const [status, options] = [name("s"), name("o")];
  const prompt = `%{\\e]6973;p;${promptNonce.slice(0, 8)}%{%}${promptNonce.slice(8)}\\a%}`;
  const steps = [
    `${status}=$? ${options}=$- ${SAVED}=`,
    `((\${+functions[builtin]}))&&${SAVE_BUILTIN}`,
    "\\builtin set +v",
    "\\builtin set +x",
    // The space in front of our line keeps it out of the history.
    "\\builtin setopt nozle nopromptcr nopromptsp histignorespace",
    // A shell within this one would use our prompt as its own.
    "\\builtin typeset +x PS1",
    `\\builtin printf '${endFormat(nonce)}' "$${status}" "$${options}|\${${SAVED}:+b}|\${precmd_functions:+h}\${functions[precmd]:+h}\${jobstates:+j}\${aliases[(I)[\\{\\}]]:+a}" "$PWD" >/dev/tty`,
    `\\builtin unset ${status} ${options}`,
    `((\${#${SAVED}}))&&${RESTORE_BUILTIN}||\\builtin unset ${SAVED}`,
    // Last: if it is readonly, the error throws the shell back to its prompt.
    `PS1=$'${prompt}'`,
    "PS2=",
    "RPS1=",
  ];
  return steps.join(";");
}
