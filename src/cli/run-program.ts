/** `limpet run`: a program from its start to its end, for a person, for a pipe, or for a script. */
import type { Exit } from "../pty/reap.ts";
import type { Sessions, StartRequest } from "../sessions/sessions.ts";
import { attachTo } from "./attach/attach.ts";
import { sizeForSession } from "./attach/own-terminal.ts";
import { describeName, exitCodeOfProgram } from "./describe.ts";
import { OK, RUN_TIMED_OUT } from "./exit-codes.ts";
import { followLogs } from "./logs.ts";
import { printError, printJson } from "./print.ts";

export interface RunRequest extends Pick<StartRequest, "command" | "cwd" | "name"> {
  readonly timeoutMs: number | undefined;
}

/** A megabyte of text or so; all of it can be read with `limpet logs`. */
const MAX_JSON_TOKENS = 250_000;
const CTRL_C = "\x03";

/** At the person's own terminal, as if the program had been started there. */
export async function runAttached(sessions: Sessions, { timeoutMs, ...request }: RunRequest): Promise<number> {
  const session = await sessions.start({ ...request, size: sizeForSession() });
  const timer = closeAfter(sessions, session.id, timeoutMs);
  const end = await attachTo(sessions, session.id, { isReadOnly: false, show: "all" });
  const isLate = timer.hasRung();
  timer.stop();
  if (end.kind === "exited") return isLate ? RUN_TIMED_OUT : exitCodeOfProgram(end.exit);
  // The limit was ours to keep, and we go.
  const how = timeoutMs === undefined ? "goes on" : "goes on without its time limit";
  printError(`\r\n[detached; ${describeName(session)} ${how}: limpet attach ${session.id}]`);
  return OK;
}

/** Clean text, as it comes. */
export async function runForPipe(sessions: Sessions, { timeoutMs, ...request }: RunRequest): Promise<number> {
  const { id } = await sessions.start(request);
  const signals = passSignals(sessions, id);
  const timer = closeAfter(sessions, id, timeoutMs);
  const shown = followLogs(sessions, { key: id, grep: undefined, tail: undefined, isRaw: false, isJson: false });
  // A program that was closed cannot be asked any more, but what it printed has come by then.
  const exit = await exitOf(sessions, id);
  await shown.catch(() => OK);
  signals.stop();
  timer.stop();
  return timer.hasRung() ? RUN_TIMED_OUT : codeOf(exit);
}

export async function runForJson(sessions: Sessions, { timeoutMs, ...request }: RunRequest): Promise<number> {
  const startedMs = performance.now();
  const session = await sessions.start(request);
  const signals = passSignals(sessions, session.id);
  const { yielded } = await sessions.wait({
    keys: [session.id],
    onInput: false,
    ...(timeoutMs === undefined ? {} : { deadlineMs: timeoutMs }),
  });
  signals.stop();
  const isLate = yielded.reason === "deadline";
  const reading = await sessions.text(session.id, { maxTokens: MAX_JSON_TOKENS, fold: false });
  if (isLate) await sessions.close(session.id, { force: false });
  const exit = yielded.reason === "exited" ? yielded.exit : undefined;
  printJson({
    id: session.id,
    name: session.name,
    exitCode: exit?.kind === "code" ? exit.code : null,
    signal: exit?.kind === "signal" ? exit.signal : null,
    timedOut: isLate,
    durationMs: Math.round(performance.now() - startedMs),
    output: reading.text,
    truncated: reading.cut !== null,
    droppedBytes: reading.droppedBytes,
  });
  return isLate ? RUN_TIMED_OUT : codeOf(exit);
}

async function exitOf(sessions: Sessions, id: number): Promise<Exit | undefined> {
  const { yielded } = await sessions.wait({ keys: [id], onInput: false });
  return yielded.reason === "exited" ? yielded.exit : undefined;
}

function codeOf(exit: Exit | undefined): number {
  return exit === undefined ? 1 : exitCodeOfProgram(exit);
}

/** Ctrl+C is the program's, as it would be at a terminal; what ends us for good ends it, too. */
function passSignals(sessions: Sessions, id: number): { readonly stop: () => void } {
  const onInterrupt = () => void sessions.write(id, CTRL_C, { by: "person" }).catch(() => undefined);
  const onEnd = (signal: NodeJS.Signals) =>
    void sessions
      .close(id, { force: false })
      .catch(() => undefined)
      .finally(() => {
        stop();
        process.kill(process.pid, signal);
      });
  const stop = () => {
    process.off("SIGINT", onInterrupt);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, onEnd);
  };
  process.on("SIGINT", onInterrupt);
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, onEnd);
  return { stop };
}

function closeAfter(sessions: Sessions, id: number, timeoutMs: number | undefined) {
  let hasRung = false;
  const ring = () => {
    hasRung = true;
    void sessions.close(id, { force: false }).catch(() => undefined);
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(ring, timeoutMs);
  return { hasRung: () => hasRung, stop: () => clearTimeout(timer) };
}
