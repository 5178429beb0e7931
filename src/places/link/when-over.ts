import type { ChildProcess } from "node:child_process";

/** The last output of a command that has ended arrives within this time. */
const LAST_OUTPUT_MS = 1_000;

/**
 * Calls `onOver` when a command has ended and its output has arrived. Its pipes may stay open longer: an ssh that
 * shares a connection passes them to the ssh that owns the connection.
 */
export function whenOver(command: ChildProcess, onOver: (how: string) => void): void {
  let isTold = false;
  const tell = () => {
    if (isTold) return;
    isTold = true;
    const { exitCode, signalCode } = command;
    onOver(signalCode ? `it was ended by ${signalCode}` : `it exited with ${exitCode}`);
  };
  const tellSoon = () => void setTimeout(tell, LAST_OUTPUT_MS).unref();
  command.once("close", tell);
  if (command.exitCode === null && command.signalCode === null) command.once("exit", tellSoon);
  else tellSoon();
}
