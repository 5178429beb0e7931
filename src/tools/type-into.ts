import { describeExit, type Exit } from "../base/exit.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { parseStroke, type Stroke } from "../keys/encode-strokes.ts";
import type { SessionIdentity } from "../service/session-service.ts";
import { describeIdle } from "./about-session.ts";
import type { ToolContext } from "./define-tool.ts";

/** What is typed: text as it is or as a paste, then keys by their names. */
export interface Typing {
  readonly chars: string;
  readonly keys?: readonly string[] | undefined;
  readonly isPaste?: boolean | undefined;
}

/** Types into a session. One that has ended cannot be typed into, but what it printed can still be read: the error says how. */
export async function typeInto({ sessions, caller }: ToolContext, id: number, typing: Typing): Promise<void> {
  const { chars, keys = [], isPaste = false } = typing;
  if (chars === "" && keys.length === 0) return;
  const given: Stroke[] = chars === "" ? [] : [{ kind: isPaste ? "paste" : "text", text: chars }];
  try {
    if (keys.length === 0 && !isPaste) await sessions.write(id, chars, { caller });
    else await sessions.press(id, [...given, ...keys.map(parseStroke)], { caller });
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    // What is wrong with the call itself is told as it is, whatever has become of the session.
    if (cause.code !== "SESSION_ENDED" && cause.undeliveredBytes === undefined) throw cause;
    const state = await sessions.identify(id);
    if (state.exit === null) throw cause;
    const next = `Read its output with read_output(session_id=${id}), or start a new one with exec_command.`;
    throw new LimpetError(cause.code, `${describeFailure(cause, id, describeEnd(state.exit, state))} ${next}`, {
      cause,
    });
  }
}

function describeFailure({ code, undeliveredBytes }: LimpetError, id: number, how: string): string {
  if (code === "SESSION_ENDED") return `Cannot write to session ${id}: ${how}.`;
  return `Session ${id} did not take ${undeliveredBytes} bytes of input: ${how}.`;
}

function describeEnd(exit: Exit, { closedAfterIdleMs }: SessionIdentity): string {
  const why = closedAfterIdleMs === null ? "" : `, closed because ${describeIdle(closedAfterIdleMs)}`;
  return `its program ${describeExit(exit)}${why}`;
}
