import type { DrawingFilter } from "../../screen/painting/drawing-filter.ts";
import { resetTabStops } from "../../screen/painting/terminal-sequences.ts";
import { resetSequences } from "../../session/modes/reset-sequences.ts";
import type { TerminalModeTracker } from "../../session/modes/terminal-mode-tracker.ts";
import { ownTerminalSize } from "./own-terminal-size.ts";

/** The sequences that reset the person's terminal for a shell, after everything that `tracker` has seen. */
export function restoreSequences(tracker: TerminalModeTracker, filter: DrawingFilter): string {
  return resetSequences(tracker, filter.hasTabStops ? resetTabStops(ownTerminalSize().cols) : "");
}
