/** Runs one command from start to end, and leaves nothing running. */

import { LimpetError } from "../base/limpet-error.ts";
import type { SessionService } from "../service/session-service.ts";
import type { TurnAnswer } from "../service/turn/turn-answer.ts";
import type { SessionReading } from "../session/read/read-digest.ts";
import { requireInput } from "./require-options.ts";
import { startOf } from "./start-of.ts";
import type { RunOptions } from "./terminals.ts";

/** The result of a command. */
export interface CommandResult {
  /** 0 to 255; null if a signal or the time limit ended the command. */
  readonly exitCode: number | null;
  /** The signal that ended it; null otherwise. */
  readonly signal: string | null;
  /** Everything that it printed, stdout and stderr in the order of arrival, as clean text. */
  readonly output: string;
  /** The command reached `timeoutMs`, and limpet ended it. */
  readonly timedOut: boolean;
  readonly durationMs: number;
  /**
   * Bytes that are missing in the middle of `output`, because the command printed more than limpet stores; 0 for none.
   */
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
  const { timeoutMs, signal, input, ...rest } = options;
  const { tty = false, ...start } = startOf(rest);
  if (input !== undefined) requireInput(input);
  if (input !== undefined && tty)
    throw new LimpetError("BAD_OPTION", "input cannot be used with tty: true. Leave one out, or use open and send.");
  signal?.throwIfAborted();
  const startedMs = performance.now();
  const { session } = await service.turn({ caller, on: { kind: "start", start: { ...start, command, tty } } });
  const { id } = session;
  let force = true;
  try {
    if (!tty) await giveInput(service, id, input);
    const answer = await untilEnded(service, { caller, id, timeoutMs, signal });
    force = answer.session.exit === null;
    return resultOf(answer, performance.now() - startedMs);
  } finally {
    // Also ends what the command left in the background. Fails only if the session was closed already.
    await service.close(id, { force }).catch(() => undefined);
  }
}

async function giveInput(service: SessionService, id: number, input: string | Uint8Array | undefined): Promise<void> {
  try {
    if (input !== undefined) await service.write(id, input);
    await service.write(id, null);
  } catch {
    // The command may end without reading all its input.
  }
}

interface Running {
  readonly caller: string;
  readonly id: number;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

function untilEnded(service: SessionService, { caller, id, timeoutMs, signal }: Running): Promise<TurnAnswer> {
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
