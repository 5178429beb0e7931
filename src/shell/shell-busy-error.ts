/** The `SHELL_BUSY` errors: why a shell does not accept a command. */
import { LimpetError } from "../base/limpet-error.ts";

/**
 * `running`: another command runs. `asking`: it waits for input. `taken`: another program read the command from the
 * terminal. `typedRunning`, `typedAsking`: the same for what someone typed into the shell.
 */
export type BusyReason = "running" | "asking" | "taken" | "typedRunning" | "typedAsking";

const SHOWN_CHARACTERS = 200;

const MESSAGES: Readonly<Record<BusyReason, (id: number) => string>> = {
  running: () => "Another command is running in this shell. Wait until it ends, interrupt it, or open another shell.",
  asking: (id) =>
    `The running command in the shell of session ${id} waits for input. Answer it with write, interrupt it, or open another shell.`,
  taken: (id) =>
    `Another program (a background program, see state, or a prompt hook) read the command from the terminal of session ${id}, so it did not start. End that program, then run the command again.`,
  typedRunning: (id) => typed(id, "is running"),
  typedAsking: (id) => typed(id, "waits for input"),
};

export function shellBusyError(reason: BusyReason, id: number): LimpetError {
  return new LimpetError("SHELL_BUSY", MESSAGES[reason](id));
}

/** Someone has begun to type a line at the prompt. It is quoted, so that it is one visible line. */
export function begunLineError(line: string, id: number): LimpetError {
  const shown = line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
  return new LimpetError(
    "SHELL_BUSY",
    `A line was begun at the prompt of session ${id} and not finished: ${quoteLine(shown)}, so this command did not start. Write to session ${id}: clear the line with keys: ["Ctrl+U"], or run it with keys: ["Enter"].`,
  );
}

/** Pure: control and format characters are escaped. */
function quoteLine(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function typed(id: number, what: string): string {
  return `A command typed into the shell of session ${id} still ${what}, so this command did not start. Answer it or interrupt it (Ctrl+C) by writing to session ${id}, or use another shell.`;
}
