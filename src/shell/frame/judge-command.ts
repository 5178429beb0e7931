/** Pure: decides the state of a command from whether its shell reads. */

import type { ReadVerdict } from "../prompt/judge-prompt.ts";
import { type FrameState, isAtWork, pastOf } from "./frame-state.ts";

/**
 * `lost`: the shell is back, and the end of the command was not reported. `reading`: the shell reads for the command.
 * `unsure`: it reads, and it may be the prompt. `working`: the shell does not read. `settled`: the command no longer
 * needs its user.
 */
export type CommandVerdict = "lost" | "reading" | "unsure" | "working" | "settled";

export function judgeCommand(state: FrameState, read: ReadVerdict): CommandVerdict {
  if (!isAtWork(state)) return "settled";
  if (read === "none" || read === "contested") return "working";
  const { hasStarted, isInterrupted } = pastOf(state);
  // No one reads for a command that has not started, and an interrupted one has probably ended.
  if (!hasStarted || read === "prompt" || (isInterrupted && read === "unsure")) return "lost";
  return read === "command" ? "reading" : "unsure";
}

/**
 * Whether the shell is back after a prompt or an interrupt. Neither proves it: any program can print a prompt, and a
 * shell whose own `read` continues after Ctrl+C also reads.
 */
export function isShellBack(read: ReadVerdict): boolean {
  return read === "prompt" || read === "unsure";
}
