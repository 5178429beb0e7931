/** The `SHELL_BUSY` errors: why a shell does not accept a command. */
import { LimpetError } from "../base/limpet-error.ts";
import { quoteLine } from "../text/clean/quote-line.ts";

const SHOWN_CHARS = 80;

/**
 * `running`: another command runs. `asking`: it waits for input. `taken`: another program read the command from the
 * terminal. `typedRunning`, `typedAsking`: the same for what someone typed into the shell.
 */
export type BusyReason = "running" | "asking" | "taken" | "typedRunning" | "typedAsking";

const MESSAGES: Readonly<Record<BusyReason, (id: number) => string>> = {
  running: () => "Another command is running in this shell. Wait until it ends, interrupt it, or open another shell.",
  asking: (id) =>
    `The running command in the shell of session ${id} waits for input. Answer it with write, interrupt it, or open another shell.`,
  taken: (id) =>
    `Another program (a background program, see state, or a prompt hook) read the command from the terminal of session ${id}, so it did not start. End that program, then run the command again.`,
  typedRunning: (id) => typed(id, "is running"),
  typedAsking: (id) => typed(id, "waits for input"),
};

/** `why`: the observation behind it, for debugging. */
export function shellBusyError(reason: BusyReason, id: number, why?: string): LimpetError {
  return new LimpetError("SHELL_BUSY", MESSAGES[reason](id), why === undefined ? {} : { cause: new Error(why) });
}

/** A typed line without Enter is in the terminal of a shell. `line` is what the terminal shows of it. */
export function unfinishedLineError(id: number, line: string): LimpetError {
  const shown = line.trim() === "" ? "" : ` (${quoteLine(line, { maxChars: SHOWN_CHARS })})`;
  return new LimpetError(
    "SHELL_BUSY",
    `The shell of session ${id} has a typed line without Enter${shown}, so this command did not start. Clear it with write_stdin(session_id=${id}, keys=["Ctrl+U"]), or run it with keys=["Enter"].`,
  );
}

function typed(id: number, what: string): string {
  return `A command typed into the shell of session ${id} still ${what}, so this command did not start. Answer it or interrupt it (Ctrl+C) by writing to session ${id}, or use another shell.`;
}
