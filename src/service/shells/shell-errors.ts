/** Why a session cannot run a command for the tool `run`. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Session } from "../../session/session.ts";

export function commandRuns({ id }: Session): LimpetError {
  return new LimpetError(
    "SHELL_BUSY",
    `A command still runs in the shell of session ${id}. Continue with wait_for(session_ids=[${id}]), answer it with write_stdin, or use another shell name.`,
  );
}

export function shellEnded({ id, name }: Session): LimpetError {
  const next = name === undefined ? "Omit shell" : `Pass its name, ${JSON.stringify(name)},`;
  return new LimpetError("SESSION_ENDED", `Shell ${id} has ended, and its state is lost. ${next} to start a new one.`);
}

export function notAShell({ id }: Session): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    `Session ${id} is not a shell that runs commands. Type into it with write_stdin, or pass another name.`,
  );
}
