import { ShellError } from "../base/errors.ts";
import type { Exit } from "../pty/reap.ts";
import type { Sessions } from "../session/sessions.ts";

/** Types into a session. One that has ended cannot be typed into, but what it printed can still be read: the error says how. */
export async function typeInto(sessions: Sessions, id: number, chars: string): Promise<void> {
  try {
    await sessions.write(id, chars);
  } catch (cause) {
    if (!(cause instanceof ShellError)) throw cause;
    const { exit } = await sessions.state(id);
    if (exit === null) throw cause;
    const next = `Read its output with read_output(session_id=${id}), or start a new one with exec_command.`;
    throw new ShellError(cause.code, `${describeFailure(cause, id, exit)} ${next}`, { cause });
  }
}

function describeFailure({ code, undeliveredBytes }: ShellError, id: number, exit: Exit): string {
  const how = `its program ${describeExit(exit)}`;
  if (code === "SESSION_ENDED") return `Cannot write to session ${id}: ${how}.`;
  return `Session ${id} did not take ${undeliveredBytes ?? "all"} bytes of input: ${how}.`;
}

function describeExit(exit: Exit): string {
  if (exit.kind === "code") return `exited with code ${exit.code}`;
  return exit.kind === "signal" ? `was killed by ${exit.signal}` : "has ended";
}
