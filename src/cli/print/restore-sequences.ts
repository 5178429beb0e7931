import type { TerminalModeTracker } from "../../session/terminal-mode-tracker.ts";
import type { DrawingFilter } from "./drawing-filter.ts";
import { ownTerminalSize } from "./own-terminal-size.ts";
import { LEAVE_ALTERNATE_SCREEN, RESET_MODES, RESET_ORIGIN_MODE, resetTabStops } from "./terminal-sequences.ts";

/** What gives the person's terminal back as a shell expects it, after everything that `tracker` has seen. */
export function restoreSequences(tracker: TerminalModeTracker, filter: DrawingFilter): string {
  return [
    tracker.isOriginMode ? RESET_ORIGIN_MODE : "",
    filter.hasTabStops ? resetTabStops(ownTerminalSize().cols) : "",
    tracker.isAlternateScreen ? LEAVE_ALTERNATE_SCREEN : "",
    RESET_MODES,
  ].join("");
}
