/** Everything that the page asks of the server, one function per route. */
import type { TerminalSize } from "../../../base/terminal-size.ts";
import type {
  DecideMessage,
  HistoryAnswer,
  HoldMessage,
  InputMessage,
  Me,
  OutputAnswer,
  PlayerAnswer,
  PromptAnswer,
  PromptMessage,
  RecordingEntry,
  RecordMessage,
  ReleaseMessage,
  RenameMessage,
  ResizeMessage,
  SearchAnswer,
  SessionDetails,
  SignalMessage,
} from "../../api/messages.ts";
import { call } from "./call.ts";

/** Unique per page: the server takes back the size that a page lent to a session when its stream has ended. */
const VIEWER = `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

export function askMe(): Promise<Me> {
  return call("GET", "/api/me");
}

export async function signIn(key: string): Promise<void> {
  await call("POST", "/api/sign-in", { key });
}

export async function signInByPassword(password: string): Promise<void> {
  await call("POST", "/api/sign-in", { password });
}

/** How a person can sign in besides by a link. */
export function askWays(): Promise<{ readonly password: boolean }> {
  return call("GET", "/api/sign-in");
}

export async function signOut(): Promise<void> {
  await call("POST", "/api/sign-out", {});
}

export interface EventsOf {
  /** The one session of a shared link; null: all sessions. */
  readonly only: string | null;
  /** The session whose terminal the stream carries. */
  readonly terminal: string | null;
  /** The last event that arrived; null to start over. */
  readonly after: string | null;
}

export function eventsAddress({ only, terminal, after }: EventsOf): string {
  const query = new URLSearchParams({ viewer: VIEWER });
  if (terminal !== null) query.set("terminal", terminal);
  if (after !== null) query.set("after", after);
  return `${only === null ? "/api/events" : pathOf(only, "events")}?${query}`;
}

/** The address of the picture of a screen. */
export function pictureAddress(key: string, version: string): string {
  return `${pathOf(key, "picture")}?v=${encodeURIComponent(version)}`;
}

export async function sendInput(key: string, message: InputMessage): Promise<void> {
  await call("POST", pathOf(key, "input"), message);
}

export async function hold(key: string, reason: string | null): Promise<void> {
  await call("POST", pathOf(key, "hold"), { reason } satisfies HoldMessage);
}

/** `note`: what each agent reads in its next answer; null for none. */
export async function release(key: string, note: string | null): Promise<void> {
  await call("POST", pathOf(key, "release"), { note } satisfies ReleaseMessage);
}

export async function interrupt(key: string): Promise<void> {
  await call("POST", pathOf(key, "signal"), { signal: "SIGINT" } satisfies SignalMessage);
}

export async function freeze(key: string): Promise<void> {
  await call("POST", pathOf(key, "freeze"), {});
}

export async function thaw(key: string): Promise<void> {
  await call("POST", pathOf(key, "thaw"), {});
}

export async function rename(key: string, name: string): Promise<void> {
  await call("POST", pathOf(key, "rename"), { name } satisfies RenameMessage);
}

/** Returns the key of the new session. */
export async function restart(key: string): Promise<string> {
  return (await call<{ readonly key: string }>("POST", pathOf(key, "restart"), {})).key;
}

/** Its output stays readable. */
export async function close(key: string): Promise<void> {
  await call("POST", pathOf(key, "close"), {});
}

/** Null: the session gets its own size back. */
export async function lendSize(key: string, size: TerminalSize | null): Promise<void> {
  await call("POST", pathOf(key, "resize"), { viewer: VIEWER, size } satisfies ResizeMessage);
}

export async function askHistory(key: string): Promise<HistoryAnswer["commands"]> {
  return (await call<HistoryAnswer>("GET", pathOf(key, "history"))).commands;
}

/** `to` null: up to the end, as far as it fits one answer. */
export function askOutput(key: string, from: number, to: number | null): Promise<OutputAnswer> {
  return call("GET", `${pathOf(key, "output")}?from=${from}${to === null ? "" : `&to=${to}`}`);
}

export function search(key: string, text: string): Promise<SearchAnswer> {
  return call("GET", `${pathOf(key, "search")}?q=${encodeURIComponent(text)}`);
}

export function askDetails(key: string): Promise<SessionDetails> {
  return call("GET", pathOf(key, "details"));
}

export function startRecording(key: string): Promise<RecordingEntry> {
  return call("POST", pathOf(key, "recording"), { from: "start" } satisfies RecordMessage);
}

export async function stopRecording(key: string, recording: string): Promise<void> {
  await call("POST", pathOf(key, "recording/stop"), { recording });
}

export function askRecording(key: string, recording: string): Promise<PlayerAnswer> {
  return call("GET", `${pathOf(key, "recording")}?recording=${encodeURIComponent(recording)}`);
}

/** The address of the file of a recording. */
export function recordingAddress(key: string, recording: string): string {
  return `${pathOf(key, "recording/file")}?recording=${encodeURIComponent(recording)}`;
}

export async function decide(number: number, decision: DecideMessage): Promise<void> {
  await call("POST", `/api/approvals/${number}`, decision);
}

export async function askPrompt(key: string): Promise<PromptAnswer["prompt"]> {
  return (await call<PromptAnswer>("GET", pathOf(key, "prompt"))).prompt;
}

export async function answerPrompt(key: string, answer: PromptMessage): Promise<void> {
  await call("POST", pathOf(key, "prompt"), answer);
}

function pathOf(key: string, what: string): string {
  return `/api/sessions/${encodeURIComponent(key)}/${what}`;
}
