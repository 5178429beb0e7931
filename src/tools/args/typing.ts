import { describeExit, type Exit } from "../../base/exit.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { parseStroke, type Stroke } from "../../keys/parse-stroke.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionIdentity } from "../../service/listing/session-state.ts";
import type { TurnInput } from "../../service/turn/turn-request.ts";
import { describeAutoClose } from "../answer/describe-surroundings.ts";
import type { ToolContext } from "../tool.ts";

/** What to type: text, as it is or as a paste, then keys by name. */
export interface Typing {
  readonly chars: string;
  readonly keys?: readonly string[] | undefined;
  readonly isPaste?: boolean | undefined;
  /** The name of a secret to type alone. */
  readonly secret?: string | undefined;
}

/** The input of a turn; undefined if there is nothing to type. */
export function turnInput({ chars, keys = [], isPaste = false, secret }: Typing): TurnInput | undefined {
  if (secret !== undefined) {
    if (chars === "" && keys.length === 0) return { strokes: [], secret };
    throw new LimpetError("BAD_OPTION", "secret is typed alone, with Enter after it. Leave out chars and keys.");
  }
  if (chars === "" && keys.length === 0) return undefined;
  const text: Stroke[] = chars === "" ? [] : [{ kind: isPaste ? "paste" : "text", text: chars }];
  return { strokes: [...text, ...keys.map(parseStroke)] };
}

/** Adds to the error for an ended session how to read its output. */
export async function describeTypingFailure<T>(
  { sessions }: ToolContext,
  key: SessionKey,
  turn: Promise<T>,
): Promise<T> {
  try {
    return await turn;
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    // An error in the call itself has nothing to do with the end of the session.
    if (cause.code !== "SESSION_ENDED" && cause.undeliveredBytes === undefined) throw cause;
    const state = await sessions.find(key);
    if (state.exit === null) throw cause;
    const own = keyOf(state);
    const next = `Read its output with read_output(session_id=${JSON.stringify(own)}), or start a new one with exec_command.`;
    throw new LimpetError(cause.code, `${describeFailure(cause, own, describeEnd(state.exit, state))} ${next}`, {
      cause,
    });
  }
}

function describeFailure({ code, undeliveredBytes }: LimpetError, key: SessionKey, how: string): string {
  if (code === "SESSION_ENDED") return `Cannot write to session ${key}: ${how}.`;
  return `Session ${key} did not read ${undeliveredBytes} bytes of input: ${how}.`;
}

function describeEnd(exit: Exit, { closed }: SessionIdentity): string {
  const why = closed === null ? "" : `, closed because ${describeAutoClose(closed)}`;
  return `its program ${describeExit(exit)}${why}`;
}
