/** `limpet run`: runs a program to its end, in a terminal, into a pipe, or with --json. */
import { describeExit, type Exit, isOutOfMemory, limitOf } from "../../base/exit.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import {
  readOutput,
  startSession,
  type WaitAnswer,
  type WaitRequest,
  waitForSession,
} from "../../service/turn/simple-turns.ts";
import type { StartRequest } from "../../service/turn/start-request.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import { sizeForSession } from "../attach/user-terminal.ts";
import { exitCodeOfProgram, OK, RUN_TIMED_OUT } from "../exit-codes.ts";
import { describeName } from "../print/describe-session.ts";
import { printBelow, printError, printJson } from "../print/print.ts";
import { followLogs } from "../view/show-logs.ts";
import { PERSON } from "../with-host.ts";
import { kindOfStdin, passStdin } from "./pass-stdin.ts";
import { passThrough } from "./pass-through.ts";
import { RunInterrupts } from "./run-interrupts.ts";

export interface RunRequest extends Pick<StartRequest, "command" | "cwd" | "name" | "sandbox" | "secretEnv"> {
  readonly timeoutMs: number | undefined;
}

/** About a megabyte of text. `limpet logs` has all of it. */
const MAX_JSON_TOKENS = 250_000;

/** In the person's terminal, as if the program had been started there. */
export async function runAttached(sessions: SessionService, { timeoutMs, ...request }: RunRequest): Promise<number> {
  const start = { ...request, size: sizeForSession(), answerQueries: true };
  const started = startSession(sessions, start, PERSON);
  const early = new RunInterrupts(sessions, started);
  const session = await started;
  early.after(timeoutMs);
  const exit = await passThrough(sessions, keyOf(session));
  early.stop();
  if (exit) {
    noteCause(session, exit);
    return early.code ?? exitCodeOfProgram(exit);
  }
  // This process enforced the time limit, and ends now.
  const how = timeoutMs === undefined ? "keeps running" : "keeps running without its time limit";
  printBelow(`[detached; ${describeName(session)} ${how}: limpet attach ${keyOf(session)}]`);
  return OK;
}

/** Prints clean text as it arrives. */
export async function runForPipe(sessions: SessionService, { timeoutMs, ...request }: RunRequest): Promise<number> {
  const { early, ...session } = await startWithInput(sessions, request);
  const key = keyOf(session);
  early.after(timeoutMs);
  early.onReaderGone();
  const shown = followLogs(sessions, { key, grep: undefined, tail: undefined, isRaw: false, isJson: false });
  const ended = await waitForEnd(sessions, early, { keys: [key] });
  await shown.catch(() => OK);
  early.stop();
  printNotes(ended);
  const exit = exitIn(ended?.result);
  noteCause(session, exit);
  return early.code ?? codeOf(exit);
}

export async function runForJson(sessions: SessionService, { timeoutMs, ...request }: RunRequest): Promise<number> {
  const startedMs = performance.now();
  const { early, ...session } = await startWithInput(sessions, request);
  const key = keyOf(session);
  const limit = timeoutMs === undefined ? {} : { deadlineMs: timeoutMs };
  const ended = await waitForEnd(sessions, early, { keys: [key], ...limit });
  const result = ended?.result;
  early.stop();
  printNotes(ended);
  const isLate = result?.reason === "deadline";
  if (isLate) await sessions.close(key, { force: false, keepOutput: true });
  const reading = await readOutput(sessions, key, { kind: "text", maxTokens: MAX_JSON_TOKENS, fold: false });
  const exit = exitIn(result);
  printJson({
    id: session.id,
    name: session.name,
    place: session.place,
    exitCode: exit?.kind === "code" ? exit.code : null,
    signal: exit?.kind === "signal" ? exit.signal : null,
    outOfMemory: exit !== undefined && isOutOfMemory(exit),
    limit: (exit && limitOf(exit)) ?? null,
    timedOut: isLate,
    durationMs: Math.round(performance.now() - startedMs),
    output: reading.text,
    truncated: reading.cut !== null,
    droppedBytes: reading.droppedBytes,
  });
  return isLate ? RUN_TIMED_OUT : (early.code ?? codeOf(exit));
}

/** Explains an exit for which a shell would print only "Killed". */
function noteCause(session: SessionName, exit: Exit | undefined): void {
  if (exit && (isOutOfMemory(exit) || limitOf(exit) !== undefined))
    printError(`[${describeName(session)} ${describeExit(exit)}]`);
}

/** Undefined if the session was closed before it could be queried. */
async function waitForEnd(
  sessions: SessionService,
  early: RunInterrupts,
  request: WaitRequest,
): Promise<WaitAnswer | undefined> {
  try {
    return await waitForSession(sessions, { ...request, onInput: false });
  } catch (error) {
    if (early.code === undefined) throw error;
    return undefined;
  }
}

/** What the sandbox refused, and which files it put back. */
function printNotes(ended: WaitAnswer | undefined): void {
  for (const note of ended?.sandboxNotes ?? []) printError(`[${note}]`);
}

function exitIn(result: WaitResult | undefined): Exit | undefined {
  return result?.reason === "exited" ? result.exit : undefined;
}

function codeOf(exit: Exit | undefined): number {
  return exit === undefined ? 1 : exitCodeOfProgram(exit);
}

interface Running extends SessionName {
  readonly early: RunInterrupts;
}

/**
 * Starts the program with our stdin. A stream needs pipes, because it has an end and the input of a terminal has none.
 */
async function startWithInput(sessions: SessionService, request: Omit<RunRequest, "timeoutMs">): Promise<Running> {
  const input = kindOfStdin();
  const hasTerminal = input !== "stream";
  const started = startSession(sessions, { ...request, tty: hasTerminal }, PERSON);
  const early = new RunInterrupts(sessions, started);
  early.onSignals({ hasTerminal });
  const session = await started;
  void passStdin(sessions, keyOf(session), input);
  return { ...session, early };
}
