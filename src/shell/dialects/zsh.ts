/**
 * zsh. No alias is taken for a word with a backslash, and a function named `builtin` is taken out of the way by an assignment
 * to `functions`, for which no command is needed.
 */
import { dollarQuote } from "../literal.ts";
import { type Dialect, endFormat, type FrameRequest, startFormat, variableNames } from "./dialect.ts";

export const zsh: Dialect = {
  names: ["zsh"],
  editsLines: false,
  args: ({ login }) => [
    "-i",
    ...(login ? ["-l"] : ["-f"]),
    ...["nozle", "nopromptcr", "nopromptsp"].flatMap((option) => ["-o", option]),
  ],
  hasHooks: (flags) => flags.split("|")[2] === "h",
  frame(request, promptNonce) {
    const tail = tailOf(request, promptNonce);
    if (request.command === undefined) return [tail];
    const [first, ...rest] = dollarQuote(`${optionsOf(request)}${request.command}`);
    return [`${headOf(request)};\\builtin eval `, first ?? "''", ...rest, `${request.redirects};`, tail];
  },
};

/** Patterns for every name but `builtin`, without the options that would make this shorter. */
const OTHERS = [..."builtin"]
  .map((letter, index) => `${"builtin".slice(0, index)}([^${letter}]*|)`)
  .concat("builtin?*")
  .join("|");

function putAside(variable: string): string {
  return `${variable}=\${functions[builtin]} functions=("\${(@kv)functions[(I)(${OTHERS})]}")`;
}

function headOf({ nonce, flags, status }: FrameRequest): string {
  const name = variableNames(nonce);
  const steps = [
    ...(flags.split("|")[1] === "b" ? [putAside(name("b"))] : []),
    `\\builtin printf '${startFormat(nonce)}' >/dev/tty`,
    ...(status === 0 ? [] : [`(\\builtin exit ${status})&&\\builtin true`]),
  ];
  return `{ ${steps.join(";")};} >/dev/null 2>&1`;
}

/** What must hold for the command and not for our own words; in front of it, in the same text. */
function optionsOf({ nonce, flags }: FrameRequest): string {
  const name = variableNames(nonce);
  const [options = "", taken = ""] = flags.split("|");
  const steps = [
    ...(taken === "b" ? [`functions[builtin]=$${name("b")}`] : []),
    ...[..."xv"].filter((letter) => options.includes(letter)).map((letter) => `\\builtin set -${letter}`),
  ];
  return steps.length > 0 ? `${steps.reverse().join(";")};` : "";
}

function tailOf({ nonce }: FrameRequest, promptNonce: string): string {
  const name = variableNames(nonce);
  const [status, options, taken] = [name("s"), name("o"), name("b")];
  const prompt = `%{\\e]6973;p;${promptNonce.slice(0, 8)}%{%}${promptNonce.slice(8)}\\a%}`;
  const steps = [
    `${status}=$? ${options}=$- ${taken}=`,
    `case \${+functions[builtin]} in 1) ${putAside(taken)};;esac`,
    "\\builtin set +v",
    "\\builtin set +x",
    "\\builtin unsetopt zle promptcr promptsp",
    `PS1=$'${prompt}' PS2= RPS1=`,
    `\\builtin printf '${endFormat(nonce)}' "$${status}" "$${options}|\${${taken}:+b}|\${precmd_functions:+h}\${functions[precmd]:+h}" "$PWD" >/dev/tty`,
    `case $${taken} in ?*) functions[builtin]=$${taken};;esac`,
  ];
  return `{ ${steps.join(";")};} >/dev/null 2>&1`;
}
