/** One command from its start to its end. Nothing of it is left afterwards. */

import type { SessionService } from "../service/session-service.ts";
import type { TurnAnswer } from "../service/turn.ts";
import type { SessionReading } from "../session/read/read-digest.ts";
import type { RunOptions } from "./terminals.ts";

/** What came of a command. */
export interface CommandResult {
  /** 0 to 255; null if it was ended by a signal or by us. */
  readonly exitCode: number | null;
  /** The signal that ended it; null otherwise. */
  readonly signal: string | null;
  /** All that it printed, stdout and stderr in the order of arrival, as clean text. */
  readonly output: string;
  /** It ran longer than `timeoutMs`, and was ended. */
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** Bytes of the middle that are not in `output`, because it printed more than is kept; 0 for none. */
  readonly droppedBytes: number;
}

export interface Command {
  readonly command: string;
  readonly options: RunOptions;
  readonly caller: string;
}

const ALL_TOKENS = Number.MAX_SAFE_INTEGER;

export async function runCommand(service: SessionService, request: Command): Promise<CommandResult> {
  const { caller, command, options } = request;
  const { timeoutMs, signal, input, tty = false, ...start } = options;
  signal?.throwIfAborted();
  const startedMs = performance.now();
  const { session } = await service.turn({ caller, on: { kind: "start", start: { ...start, command, tty } } });
  const { id } = session;
  let force = true;
  try {
    if (!tty) await giveInput(service, id, input);
    const answer = await untilOver(service, { caller, id, timeoutMs, signal });
    force = answer.session.exit === null;
    return resultOf(answer, performance.now() - startedMs);
  } finally {
    // Whatever it left in the background ends with it. One that is gone meanwhile needs no closing.
    await service.close(id, { force }).catch(() => undefined);
  }
}

async function giveInput(service: SessionService, id: number, input: string | Uint8Array | undefined): Promise<void> {
  try {
    if (input !== undefined) await service.write(id, input);
    await service.write(id, null);
  } catch {
    // It has ended without reading all of it, which is its own business.
  }
}

interface Running {
  readonly caller: string;
  readonly id: number;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

function untilOver(service: SessionService, { caller, id, timeoutMs, signal }: Running): Promise<TurnAnswer> {
  return service.turn({
    caller,
    on: { kind: "session", key: id },
    wait: { kind: "output", onInput: false, ...(timeoutMs === undefined ? {} : { deadlineMs: timeoutMs }) },
    read: { kind: "text", maxTokens: ALL_TOKENS, fold: false },
    signal,
  });
}

function resultOf({ session, output }: TurnAnswer, durationMs: number): CommandResult {
  const { text, droppedBytes } = output as SessionReading;
  const { exit } = session;
  return {
    exitCode: exit?.kind === "code" ? exit.code : null,
    signal: exit?.kind === "signal" ? exit.signal : null,
    output: text,
    timedOut: exit === null,
    durationMs,
    droppedBytes,
  };
}
