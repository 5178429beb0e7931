/** The reasons why a shell does not take a command, as errors with the code `SHELL_BUSY`. */
import { LimpetError } from "../base/limpet-error.ts";

/**
 * `running`: another command runs. `asking`: it waits for input. `taken`: another program read the command off the terminal.
 * `typedRunning`, `typedAsking`: the same of what somebody typed into the shell.
 */
export type BusyReason = "running" | "asking" | "taken" | "typedRunning" | "typedAsking";

const MESSAGES: Readonly<Record<BusyReason, (id: number) => string>> = {
  running: () => "Another command is running in this shell. Wait for its end, interrupt it, or open another shell.",
  asking: (id) =>
    `The running command in the shell of session ${id} waits for input. Answer it with write, interrupt it, or open another shell.`,
  taken: (id) =>
    `Another program read the command off the terminal of session ${id}, so it did not start: a background program (see state) or a prompt hook. End that program, then run the command again.`,
  typedRunning: (id) => typed(id, "is running"),
  typedAsking: (id) => typed(id, "waits for input"),
};

export function shellBusyError(reason: BusyReason, id: number): LimpetError {
  return new LimpetError("SHELL_BUSY", MESSAGES[reason](id));
}

function typed(id: number, what: string): string {
  return `Something that was typed into the shell of session ${id} still ${what}, so the command did not start. Answer it or press Ctrl+C by writing to session ${id}, or use another shell.`;
}
