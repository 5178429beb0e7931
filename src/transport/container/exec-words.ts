/** The arguments and variables with which the command line tool of an engine starts a program in a container. Pure. */
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
 * The key sequence that detaches the tool. The default is Ctrl+P Ctrl+Q, and the tool holds back a Ctrl+P until the
 * next key. Nobody types this sequence, and programs rarely use its first key.
 */
const DETACH_KEYS = "ctrl-^,ctrl-_,ctrl-^,ctrl-_,ctrl-^,ctrl-_";

/**
 * Values are passed in the environment of the tool, because every user of the machine can read arguments. Exceptions
 * are variables that the tool uses itself, and the mark: a process with the mark in its environment belongs to the
 * session, and the tool does not.
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

/** True for the state directory of a host on this machine, which programs in the container cannot reach. */
function isOfThisMachine(variable: string): boolean {
  return variable === "LIMPET_HOME";
}
