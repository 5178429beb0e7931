/** Pure: decides what happens to output that is not a mark, from the state of the command. */
import type { FrameState } from "./frame-state.ts";

/**
 * `drop`: the shell prints it because of what limpet typed, so it is not output.
 * `between`: no command runs. Background jobs print, and the shell prints notices.
 * `command`: a command runs, and everything is output.
 */
export type OutputMode = "drop" | "between" | "command";

export interface OutputModeFacts {
  /** The shell may edit its line, and then shows what we type. */
  readonly editsLines: boolean;
  /** Prompt hooks run after this command, and no job can print at the same time. */
  readonly dropsHookOutput: boolean;
}

/** `state` is the state of the latest command; undefined before the first. */
export function decideOutputMode(state: FrameState | undefined, facts: OutputModeFacts): OutputMode {
  switch (state?.phase) {
    case undefined:
    // A shell that lost its command may edit lines until it has answered, and then shows what we type.
    case "asking":
      return "drop";
    case "typed":
      return facts.editsLines ? "drop" : "between";
    case "running":
      return "command";
    case "thrownBack":
      if (state.before.phase !== "running") return decideOutputMode(state.before, facts);
      // The output of the command probably ends with the prompt.
      return "between";
    case "ended":
      return facts.dropsHookOutput && !state.isPrompted ? "drop" : "between";
    case "gone":
      return "between";
  }
}
