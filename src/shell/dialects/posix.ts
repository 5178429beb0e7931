/**
 * dash, and shells like it.
 *
 * Special builtins win over functions; `printf` does not, and a function cannot be saved and restored. So marks are
 * printed in a subshell that has unset it.
 */

import { type Dialect, endFormat, type FrameRequest, startFormat, variableNames } from "./dialect.ts";
import { singleQuote } from "./quote.ts";

export const posix: Dialect = {
  names: ["dash", "sh"],
  editsLines: false,
  args: ({ login }) => (login ? ["-l", "-i"] : ["-i"]),
  hasHooks: () => false,
  hasHadJobs: () => true,
  // Single quotes keep every byte literal, and the terminal accepts every byte.
  frame: posixFrame({ before: "", afterMark: "", quoteControls: (text) => `'${text}'` }),
};

interface PosixWays {
  /** What the shell does before it reports the end. */
  readonly before: string;
  /** What the shell does after each mark. */
  readonly afterMark: string;
  /** A text of printable characters, ESC and BEL as one word. */
  readonly quoteControls: (text: string) => string;
}

export function posixFrame(ways: PosixWays): Dialect["frame"] {
  return (request, promptNonce) => {
    const tail = tailOf(request, promptNonce, ways);
    if (request.command === undefined) return [tail];
    const head = headOf(request, ways);
    const isTraced = /[xv]/.test(request.flags);
    // A tracing shell would print our own words outside of the eval. Otherwise they are separate, because all may then
    // fit into one line, which is faster.
    const [before, program] = isTraced ? ["", `${head}\n${request.command}`] : [`${head};`, request.command];
    return [`${before}\\eval `, ...singleQuote(program), `${request.redirects};`, tail];
  };
}

function headOf({ nonce, flags, status }: FrameRequest, { afterMark }: PosixWays): string {
  const options = [..."xv"].filter((letter) => flags.includes(letter)).map((letter) => `\\set -${letter};`);
  const start = `(\\unset -f printf read;\\printf '${startFormat(nonce)}' >/dev/tty${afterMark};\\exit ${status})&&:`;
  return `{ ${options.join("")}${start};} >/dev/null 2>&1`;
}

function tailOf({ nonce }: FrameRequest, promptNonce: string, ways: PosixWays): string {
  const name = variableNames(nonce);
  const [status, options] = [name("s"), name("o")];
  const steps = [
    `${status}=$? ${options}=$-`,
    `${ways.before}\\set +v`,
    "\\set +x",
    `(\\unset -f printf read;\\printf '${endFormat(nonce)}' "$${status}" "$${options}" "$PWD" >/dev/tty${ways.afterMark})&&:`,
    `\\unset -v ${status} ${options}`,
    // Last: if it is readonly, the error throws the shell back to its prompt.
    `PS1=${ways.quoteControls(promptText(promptNonce))}`,
    "PS2=",
  ];
  return `{ ${steps.join(";")};} >/dev/null 2>&1`;
}

/** The nonce contains an expansion to nothing, so that only the printed prompt is a mark, not the stored one. */
function promptText(nonce: string): string {
  return `\x1b]6973;p;${nonce.slice(0, 8)}\${0+}${nonce.slice(8)}\x07`;
}
