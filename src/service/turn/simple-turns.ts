/** Turns that do one thing: start, run, wait or read. */
import type { Exit } from "../../base/exit.ts";
import type { SnapshotOptions } from "../../screen/take-snapshot.ts";
import type { SessionReading } from "../../session/read/read-digest.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import type { SessionKey, SessionName } from "../listing/session-name.ts";
import type { SessionService } from "../session-service.ts";
import type { RunRequest, StartRequest } from "./start-request.ts";
import type { CommandAnswer, ScreenView } from "./turn-answer.ts";
import type { TurnRead, TurnWait } from "./turn-request.ts";

/** The caller, which has its own position in the output. Default: an anonymous one. */
interface Asker {
  readonly caller?: string;
  readonly signal?: AbortSignal;
}

const ANONYMOUS = "anonymous";

export interface StartedSession extends SessionName {
  /** The session was running already. */
  readonly isReused: boolean;
}

/** The session belongs to `caller`. */
export async function startSession(
  service: SessionService,
  start: StartRequest,
  caller: string = ANONYMOUS,
): Promise<StartedSession> {
  const { session, isReused } = await service.turn({ caller, on: { kind: "start", start } });
  return { ...nameIn(session), isReused };
}

export interface WaitRequest extends Asker, Omit<Extract<TurnWait, { kind: "output" }>, "kind"> {
  /** The wait ends with the first of these sessions. */
  readonly keys: readonly SessionKey[];
  /** Only observes: takes no notes and no events from others. Default false. */
  readonly isWatch?: boolean;
}

export interface WaitAnswer {
  readonly id: number;
  readonly result: WaitResult;
  /** What the sandbox of the session did, one line each. */
  readonly sandboxNotes: readonly string[];
}

export async function waitForSession(service: SessionService, request: WaitRequest): Promise<WaitAnswer> {
  const { keys, caller = ANONYMOUS, signal, isWatch = false, ...wait } = request;
  const on = { kind: "several", keys } as const;
  const { session, result, around } = await service.turn({
    caller,
    on,
    wait: { kind: "output", ...wait },
    isWatch,
    signal,
  });
  return { id: session.id, result: result as WaitResult, sandboxNotes: around.sandboxNotes };
}

export interface CommandRequest extends RunRequest {
  readonly caller: string;
  readonly signal?: AbortSignal;
}

export async function runCommand(
  service: SessionService,
  request: CommandRequest,
): Promise<CommandAnswer & SessionName> {
  const { caller, signal, ...run } = request;
  const { session, command } = await service.turn({ caller, on: { kind: "run", run }, signal });
  return { ...(command as CommandAnswer), ...nameIn(session) };
}

/** Resolves with the exit of the program. */
export async function untilExited(service: SessionService, key: SessionKey, signal: AbortSignal): Promise<Exit> {
  for (;;) {
    const { result } = await waitForSession(service, { keys: [key], onInput: false, isWatch: true, signal });
    if (result.reason === "exited") return result.exit;
  }
}

type TextRead = Extract<TurnRead, { kind: "unread" | "text" | "head" | "tail" }>;

export async function readOutput(
  service: SessionService,
  key: SessionKey,
  { caller = ANONYMOUS, ...read }: TextRead & Asker,
): Promise<SessionReading> {
  const { output } = await service.turn({ caller, on: { kind: "session", key }, read });
  return output as SessionReading;
}

export async function readScreen(
  service: SessionService,
  key: SessionKey,
  { caller = ANONYMOUS, ...options }: SnapshotOptions & Asker = {},
): Promise<ScreenView & SessionName> {
  const on = { kind: "session", key } as const;
  const { session, screen } = await service.turn({ caller, on, read: { kind: "screen", ...options } });
  return { ...(screen as ScreenView), ...nameIn(session) };
}

function nameIn({ id, name, place }: SessionName): SessionName {
  return { id, name, place };
}
