/**
 * zsh. Aliases do not apply to a word with a backslash, and an assignment to `dis_functions`, which needs no command,
 * disables a function named `builtin`. Aliases do apply to reserved words: we use none but a brace.
 */

import { type Dialect, endFormat, type FrameRequest, KEEP_STATUS, quiet, RAN, STATUS, startFormat } from "./dialect.ts";

const OPTIONS = "_limpet_o";
const FILES = { none: ["-f"], rc: [], login: ["-l"] } as const;

export const zsh: Dialect = {
  names: ["zsh"],
  editsLines: false,
  readsBytes: true,
  args: ({ startFiles }) => [
    "-i",
    ...FILES[startFiles],
    ...["nozle", "nopromptcr", "nopromptsp", "histignorespace", "nonotify"].flatMap((option) => ["-o", option]),
  ],
  hasHooks: (flags) => flags.split("|")[2]?.includes("h") ?? false,
  hasHadJobs: (flags) => flags.split("|")[2]?.includes("j") ?? false,
  key: (nonce) => `${nonce}\n`,
  frame(request, promptNonce) {
    const { command, redirects, paths } = request;
    const before = isBuiltinTaken(request) ? `${SAVE_BUILTIN};` : "";
    const run = `${before}\\builtin eval "$(<${paths.command})"${redirects};`;
    const after = [
      `${KEEP_STATUS} ${OPTIONS}=$- ${SAVED}=`,
      `((\${+functions[builtin]}))&&${SAVE_BUILTIN}`,
      `\\builtin eval "$(<${paths.end})" >/dev/null 2>&1`,
    ];
    return {
      // The space in front keeps the line out of the history.
      line: ` ${command === undefined ? "" : run}${quiet(after.join(";"), request, isBraceAlias(request))}`,
      command: command === undefined ? "" : `${headOf(request)}\n${command}`,
      end: endOf(request, promptNonce),
    };
  },
};

/** The same name for every command, because it cannot be unset at its last use. */
const SAVED = "_limpet_builtin";
const SAVE_BUILTIN = `${SAVED}=\${functions[builtin]} dis_functions[builtin]=$${SAVED}`;
const RESTORE_BUILTIN = `functions[builtin]=$${SAVED} ${SAVED}=`;

function isBraceAlias({ flags }: FrameRequest): boolean {
  return flags.split("|")[2]?.includes("a") ?? false;
}

function isBuiltinTaken({ flags }: FrameRequest): boolean {
  return flags.split("|")[1] === "b";
}

/** Options of the command that must not apply to our own words are set just before the command. */
function headOf(request: FrameRequest): string {
  const { nonce, flags, status } = request;
  const [options = ""] = flags.split("|");
  const steps = [
    `\\builtin unset ${STATUS}`,
    `${RAN}=r`,
    `\\builtin printf '${startFormat(nonce)}' >/dev/tty`,
    ...[..."xv"].filter((letter) => options.includes(letter)).map((letter) => `\\builtin set -${letter}`),
    ...(status === 0 ? [] : [`(\\builtin exit ${status})&&\\builtin true`]),
    ...(isBuiltinTaken(request) ? [RESTORE_BUILTIN] : []),
  ];
  return quiet(steps.join(";"), request, isBraceAlias(request));
}

function endOf({ nonce, command, paths }: FrameRequest, promptNonce: string): string {
  const key = command === undefined ? `"$(<${paths.keyGate})"` : nonce;
  const prompt = `%{\\e]6973;p;${promptNonce.slice(0, 8)}%{%}${promptNonce.slice(8)}\\a%}`;
  const steps = [
    "\\builtin set +v",
    "\\builtin set +x",
    "\\builtin setopt nozle nopromptcr nopromptsp histignorespace",
    // Otherwise a shell inside this one would inherit our prompt.
    "\\builtin typeset +x PS1",
    `\\builtin printf '${endFormat(nonce)}' ${key} "$${STATUS}" "\${${RAN}-}" "$${OPTIONS}|\${${SAVED}:+b}|\${precmd_functions:+h}\${functions[precmd]:+h}\${jobstates:+j}\${aliases[(I)[\\{\\}]]:+a}" "$PWD" >/dev/tty`,
    `\\builtin : <${paths.endGate}`,
    `\\builtin unset ${OPTIONS} ${RAN}`,
    `((\${#${SAVED}}))&&${RESTORE_BUILTIN}||\\builtin unset ${SAVED}`,
    // Last: if PS1 is readonly, the error aborts this line and returns the shell to its prompt.
    `PS1=$'${prompt}'`,
    "PS2=",
    "RPS1=",
  ];
  return steps.join("\n");
}
