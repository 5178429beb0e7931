/** Pure: the words and variables with which a command line tool starts a program in a container. */
import { MARK_VARIABLE } from "../../linux/processes/processes.ts";
import type { ChannelOptions } from "../transport.ts";
import { type Container, requireContainer } from "./container.ts";

type Started = Pick<ChannelOptions, "program" | "args" | "cwd" | "env" | "tty">;

export interface ExecWords {
  readonly argv: readonly string[];
  /** The variables of the tool itself. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The keys at which the tool would leave the program behind: by default Ctrl+P Ctrl+Q, of which it holds back the first
 * until the next key comes. These are typed by nobody, and programs hardly use the first one.
 */
const DETACH_KEYS = "ctrl-^,ctrl-_,ctrl-^,ctrl-_,ctrl-^,ctrl-_";

/**
 * Values go to the tool in its environment, because every user of the machine can read arguments. Except for variables
 * that the tool uses itself, and for the mark: a process that has it in its environment belongs to the session.
 */
export function execWords(
  { engine, name }: Container,
  { program, args, cwd, env, tty }: Started,
  toolEnv: Readonly<Record<string, string>>,
): ExecWords {
  const isArgument = (variable: string) => variable === MARK_VARIABLE || Object.hasOwn(toolEnv, variable);
  const variables = Object.entries(env).filter(([variable]) => !isOfThisMachine(variable));
  const words = variables.flatMap(([variable, value]) => [
    "-e",
    isArgument(variable) ? `${variable}=${value}` : variable,
  ]);
  const passed = Object.fromEntries(variables.filter(([variable]) => !isArgument(variable)));
  return {
    argv: [
      engine,
      "exec",
      ...(tty ? ["-it", "--detach-keys", DETACH_KEYS] : ["-i"]),
      "-w",
      cwd,
      ...words,
      requireContainer(name),
      program,
      ...args,
    ],
    env: { ...passed, ...toolEnv },
  };
}

/** The directory of a host on this machine, which programs in the container cannot reach. */
function isOfThisMachine(variable: string): boolean {
  return variable === "LIMPET_HOME";
}
