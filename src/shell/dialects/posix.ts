/**
 * dash, and shells like it.
 *
 * Special builtins win over functions; `printf` does not, and a function cannot be saved and restored. So a mark is
 * printed as the trace of an empty command, with the mark as PS4: that needs only `set`, and no process.
 */

import { type Dialect, type FrameRequest, KEEP_STATUS, KEY, RAN, STATUS } from "./dialect.ts";
import { singleQuote } from "./quote.ts";

export const posix: Dialect = {
  names: ["dash", "sh"],
  editsLines: false,
  args: ({ startFiles }) => (startFiles === "login" ? ["-l", "-i"] : ["-i"]),
  hasHooks: () => false,
  hasHadJobs: () => true,
  key: (nonce) => `${KEY}=${nonce}\n`,
  frame: posixFrame({ beforeStart: () => [], beforeEnd: [] }),
};

interface PosixWays {
  /** Steps between the start mark and the command. */
  readonly beforeStart: (request: FrameRequest) => readonly string[];
  /** Steps before the end mark. */
  readonly beforeEnd: readonly string[];
}

const [TEXT, OPTIONS, TRACE] = ["_limpet", "_limpet_o", "_limpet_p"];
/** Never set. */
const EMPTY = "_limpet_e";

/**
 * The command is read into a variable and run by `eval`, not by `.`, so that `return` does what it does at the prompt.
 * `eval` expands its argument before the assignment in front of it empties the variable.
 */
export function posixFrame(ways: PosixWays): Dialect["frame"] {
  return (request, promptNonce) => {
    const { command, redirects, paths } = request;
    const run = `\\. ${paths.command}&&:;${TEXT}= \\eval "\${${TEXT}-}"${redirects};`;
    return {
      line: `${command === undefined ? "" : run}${silent([KEEP_STATUS, `\\. ${paths.end}`])}`,
      command: command === undefined ? "" : commandFile(request, command, ways),
      end: endFile(request, promptNonce, ways),
    };
  };
}

function commandFile(request: FrameRequest, command: string, { beforeStart }: PosixWays): string {
  const { nonce, flags, status } = request;
  const head = silent([`\\unset -v ${STATUS}`, `${RAN}=r`, ...mark(`s;${nonce}`), ...beforeStart(request)]);
  const options = [..."xv"].filter((letter) => flags.includes(letter)).map((letter) => `\\set -${letter}`);
  // Tracing is restored last, because a tracing shell prints everything between this and the command.
  const restore = options.length > 0 ? `${silent([...options, `(\\exit ${status})&&:`])}\n` : "";
  // In one line, because a shell reports ended jobs before each line that it reads, and after the start mark such a
  // report would be output of the command.
  return `${head};${TEXT}=${singleQuote(`${restore}${command}`)};\\return ${status}\n`;
}

function endFile(request: FrameRequest, promptNonce: string, { beforeEnd }: PosixWays): string {
  const { nonce, command, paths, flags } = request;
  const isQuery = command === undefined;
  const steps = [
    `${OPTIONS}=$-`,
    // Ctrl+C came within a mark: then the shell traces for us, not for the user.
    `case \${${TRACE}+m} in m)PS4=$${TRACE};${OPTIONS}=${singleQuote(flags)};;esac`,
    ...beforeEnd,
    "\\set +v",
    "\\set +x",
    ...(isQuery ? [`\\. ${paths.keyGate}`] : []),
    ...mark(`e;${isQuery ? `$${KEY}` : nonce};$${STATUS};\${${RAN}-};$${OPTIONS};\${PWD-};${nonce}`),
    `\\unset -v ${OPTIONS} ${TEXT} ${RAN} ${KEY}`,
    `\\: <${paths.endGate}`,
    // Last: if PS1 is readonly, the error aborts this line and returns the shell to its prompt.
    `PS1='${promptText(promptNonce)}'`,
    "PS2=",
  ];
  return `${steps.join("\n")}\n`;
}

/** Steps that print a mark, in one piece, and a line feed. */
function mark(body: string): string[] {
  const print = `{ \\set -x;\${${EMPTY}-};} 2>/dev/tty;\\set +x`;
  return [`${TRACE}=\${PS4-}`, `PS4='\x1b]6973;${body}\x07'`, print, `PS4=$${TRACE}`, `\\unset -v ${TRACE}`];
}

function silent(steps: readonly string[]): string {
  return `{ ${steps.join(";")};} >/dev/null 2>&1`;
}

/** The nonce contains an expansion to nothing, so that only the printed prompt is a mark, not the stored one. */
function promptText(nonce: string): string {
  return `\x1b]6973;p;${nonce.slice(0, 8)}\${0+}${nonce.slice(8)}\x07`;
}
