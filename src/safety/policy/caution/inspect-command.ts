/** One simple command: its reasons for caution, and the commands that it runs itself. Pure. */
import { posix } from "node:path";
import type { ShellWord, SimpleCommand } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";
import { examineBuiltin } from "./examine-builtin.ts";
import { examineGit } from "./examine-git.ts";
import { examineShell } from "./examine-shell.ts";
import type { Inner, Inspection } from "./inspection.ts";
import { laterFileCautions } from "./later-file-cautions.ts";
import { optionCautions } from "./option-cautions.ts";
import { redirectionCautions } from "./redirection-cautions.ts";
import { scriptCautions } from "./script-cautions.ts";
import { findCommands, unwrap } from "./unwrap.ts";
import { environmentCaution, integerCaution, shellVariableCaution } from "./variables.ts";
import { isInterpreter, LOADER, OPAQUE_WRAPPERS, REMOTES, SHELLS } from "./wrappers.ts";

export function inspectCommand(command: SimpleCommand): Inspection {
  const { words, assignments, redirections } = command;
  const [first, ...args] = words;
  const setsVariable = first ? environmentCaution : shellVariableCaution;
  const own = [
    ...assignments.flatMap(({ name, text, value }) => [
      ...setsVariable(name, text),
      ...integerCaution(name, value, text),
    ]),
    ...redirectionCautions(redirections),
    ...laterFileCautions(posix.basename(first?.literal ?? ""), args, redirections),
  ];
  if (!first) return { cautions: own, inner: [] };
  if (first.literal === undefined)
    return { cautions: [...own, { name: "computed-command", part: first.text }], inner: [] };
  const found = inspectProgram(posix.basename(first.literal), args, command);
  return { cautions: [...own, ...pathCautions(first.literal), ...found.cautions], inner: found.inner };
}

const SYSTEM_DIRECTORIES = new Set(["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"]);

/** A file elsewhere can be anything, also a copy of a program that is denied. */
function pathCautions(program: string): readonly Caution[] {
  const isElsewhere = program.includes("/") && !SYSTEM_DIRECTORIES.has(posix.dirname(posix.normalize(program)));
  return isElsewhere ? [{ name: "interpreter", part: program, namedBy: 1 }] : [];
}

function inspectProgram(program: string, args: readonly ShellWord[], command: SimpleCommand): Inspection {
  const one = (name: Caution["name"], namedBy = 1): Inspection => ({
    cautions: [{ name, part: command.text, namedBy }],
    inner: [],
  });
  if (SHELLS.has(program)) return examineShell(program, args, command.redirections);
  if (program === "git") {
    const { cautions, plain } = examineGit(args);
    return { cautions, inner: plain ? [{ kind: "words", words: plain }] : [] };
  }
  if (program === "find") return inspectFind(args, command);
  // It only prints where a program is.
  if (program === "command" && /^-[vV]$/.test(args[0]?.literal ?? "")) return { cautions: [], inner: [] };
  const unwrapped = unwrap(program, args);
  if (unwrapped) return inspectWrapper(program, unwrapped, command);
  if (program === "limpet") return one("limpet", 2);
  if (OPAQUE_WRAPPERS.has(program) || LOADER.test(program)) return one("wrapper");
  if (REMOTES.has(program)) return one("remote");
  if (isInterpreter(program)) return one("interpreter");
  const { cautions, code } = examineBuiltin(program, args);
  return {
    cautions: [
      ...cautions,
      ...computed(code, command),
      ...optionCautions(program, args),
      ...scriptCautions(program, args),
    ],
    inner: literal(code),
  };
}

function inspectWrapper(
  program: string,
  { inner, variables }: NonNullable<ReturnType<typeof unwrap>>,
  { text }: SimpleCommand,
): Inspection {
  const set = variables.flatMap((name) => environmentCaution(name, text));
  if (!inner) return { cautions: [{ name: "wrapper", part: text }, ...set], inner: [] };
  const caution: Caution = { name: program === "exec" ? "shell" : "wrapper", part: text, namedBy: 1 };
  return { cautions: [caution, ...set], inner: inner.length > 0 ? [{ kind: "words", words: inner }] : [] };
}

function inspectFind(args: readonly ShellWord[], { text }: SimpleCommand): Inspection {
  const commands = findCommands(args);
  const runs: readonly Caution[] = commands.length > 0 ? [{ name: "wrapper", part: text, namedBy: 1 }] : [];
  return {
    cautions: [...runs, ...optionCautions("find", args)],
    inner: commands.map((words) => ({ kind: "words", words })),
  };
}

function computed(code: readonly (string | undefined)[], { text }: SimpleCommand): readonly Caution[] {
  return code.includes(undefined) ? [{ name: "computed-command", part: text }] : [];
}

function literal(code: readonly (string | undefined)[]): readonly Inner[] {
  return code.flatMap((source) => (source === undefined ? [] : [{ kind: "code", source }]));
}
