/** Sessions in a list, made by hand. */
import type { SessionSummary } from "../../../src/service/listing/session-summary.ts";

/** A program that runs and waits for nothing. */
export function summary(given: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id: 1,
    name: null,
    place: null,
    exit: null,
    lost: false,
    journal: null,
    closed: null,
    size: { cols: 80, rows: 24 },
    outputBytes: 0,
    unreadInputBytes: 0,
    asksTerminal: false,
    held: null,
    frozen: null,
    isIdle: false,
    foreground: null,
    waitingFor: null,
    program: "bash",
    owner: null,
    sandbox: null,
    limits: null,
    command: null,
    commandMs: null,
    directory: null,
    listening: [],
    left: [],
    ageMs: 0,
    idleMs: 0,
    lastLine: "",
    recordings: [],
    ...given,
  };
}
