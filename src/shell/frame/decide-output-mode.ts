/** Decides what happens to output that is not a mark: pure, from how far the command has come. */
import type { FrameState } from "./frame-state.ts";

/**
 * `drop`: the shell prints it for us or because of us, and it is not output.
 * `between`: no command runs. Background jobs print, and the shell prints notices that nobody needs.
 * `command`: a command runs, and everything is output.
 */
export type OutputMode = "drop" | "between" | "command";

export interface OutputModeFacts {
  /** The shell may edit its line, and then shows what we type. */
  readonly editsLines: boolean;
  /** Hooks of the prompt run after this command, and no job can print at the same time. */
  readonly dropsHookOutput: boolean;
}

/** `state` is that of the latest command; undefined before the first. */
export function decideOutputMode(state: FrameState | undefined, facts: OutputModeFacts): OutputMode {
  switch (state?.phase) {
    case undefined:
    // A shell that lost its command may edit lines until it has answered, and then shows what we type.
    case "asking":
      return "drop";
    case "typing":
    case "typed":
      return facts.editsLines ? "drop" : "between";
    case "running":
      return "command";
    case "thrownBack":
      if (state.before.phase !== "running") return decideOutputMode(state.before, facts);
      // The output of the command probably ends with the prompt. After Ctrl+C a shell that edits lines may also show the empty
      // line that we type after the start mark, because the command did not read it.
      return facts.editsLines && state.before.isInterrupted ? "drop" : "between";
    case "ended":
      return facts.dropsHookOutput ? "drop" : "between";
    case "over":
      return "between";
  }
}
