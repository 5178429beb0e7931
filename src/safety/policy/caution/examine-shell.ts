/** The code that a shell is given: with -c, as its input, or in a file. Pure. */
import type { ShellRedirection, ShellWord } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";
import type { Inspection } from "./inspection.ts";

/** Short options of shells that take the next word. Long options may name a file to run, except those below. */
const TAKES_A_WORD = /^[-+][a-zA-Z]*[oO]$/;
const HARMLESS_LONG = new Set(["--norc", "--noprofile", "--posix", "--no-rcs", "--restricted", "--verbose"]);

export function examineShell(
  shell: string,
  args: readonly ShellWord[],
  redirections: readonly ShellRedirection[],
): Inspection {
  const part = [shell, ...args.map(({ text }) => text)].join(" ");
  const { isCode, operand } = readOptions(args);
  if (isCode) return operand ? codeOf(shell, operand, part) : opaque(part);
  if (operand) return opaque(part);
  const input = redirections.findLast(({ operator }) => operator.startsWith("<"));
  return input?.operator.startsWith("<<") ? codeOf(shell, input.target, part) : opaque(part);
}

interface ShellOptions {
  readonly isCode: boolean;
  /** The first argument that is not an option. */
  readonly operand: ShellWord | undefined;
}

function readOptions(args: readonly ShellWord[]): ShellOptions {
  let isCode = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    const { literal, start = "" } = word ?? {};
    if (literal === "--" || literal === "-") return { isCode, operand: args[at + 1] };
    if (!/^[-+]/.test(start)) return { isCode, operand: word };
    if (literal === undefined || (literal.startsWith("--") && !HARMLESS_LONG.has(literal)))
      return { isCode: false, operand: word };
    if (/^-[a-zA-Z]*c/.test(literal)) isCode = true;
    if (TAKES_A_WORD.test(literal)) at += 1;
  }
  return { isCode, operand: undefined };
}

/** Literal code is judged. Computed code is not, so that only an explicit `accept` lets it pass. */
function codeOf(shell: string, { literal }: ShellWord, part: string): Inspection {
  const wrapper: Caution = { name: "wrapper", part, namedBy: 1 };
  if (literal === undefined) return { cautions: [wrapper, { name: "computed-command", part }], inner: [] };
  return { cautions: [wrapper], inner: [{ kind: "code", source: literal, shell }] };
}

function opaque(part: string): Inspection {
  return { cautions: [{ name: "interpreter", part, namedBy: 1 }], inner: [] };
}
