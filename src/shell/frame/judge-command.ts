/** What a shell that reads means for the command that was typed into it. Pure. */

import type { ReadVerdict } from "../prompt/judge-prompt.ts";
import { type FrameState, isAtWork, pastOf } from "./frame-state.ts";

/**
 * `lost`: the shell is back, and the end of the command was not reported. `reading`: the shell reads for the command.
 * `unsure`: it reads, and it may be the prompt. `working`: the shell does not read. `settled`: the command does not need its
 * user any more.
 */
export type CommandVerdict = "lost" | "reading" | "unsure" | "working" | "settled";

export function judgeCommand(state: FrameState, read: ReadVerdict): CommandVerdict {
  if (!isAtWork(state)) return "settled";
  if (read === "none") return "working";
  // Nobody reads for a command that has not started: Ctrl+C may have left half of our line, and the shell waits for the rest.
  if (!pastOf(state).hasStarted || read === "prompt") return "lost";
  return read === "command" ? "reading" : "unsure";
}

/**
 * Is the shell back after a prompt or an interrupt? Neither proves it: any program can print a prompt, and a shell whose own
 * `read` continues after Ctrl+C reads, too.
 */
export function isShellBack(state: FrameState, read: ReadVerdict): boolean {
  const { hasStarted, isInterrupted } = pastOf(state);
  if (read === "prompt" || read === "unsure") return true;
  // Before the start of the command the shell reads for nobody else: Ctrl+C may have left half of our line.
  return read === "command" && !hasStarted && isInterrupted;
}
