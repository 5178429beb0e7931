/**
 * Identifies one password prompt: the same process, waiting in the same read, with echo off. A secret is typed only if
 * the prompt is still the one that was reported when somebody decided to answer it.
 */
import { readProcess } from "../../linux/processes/processes.ts";
import { judgeInputState } from "../../probe/judge-input-state.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";

/** Equal only while it is the same prompt. Opaque. */
export type PromptToken = string;

/**
 * The token of the prompt at which the program waits now; undefined if it does not wait for a password. Asks the
 * kernel, so the answer holds for the moment of the call.
 */
export function promptToken(session: Session): PromptToken | undefined {
  const { channel, store, lastInputMs } = internalsOf(session);
  const { probe } = channel;
  if (session.exit || !probe) return undefined;
  const { state, fingerprint } = judgeInputState(probe.observe());
  // Behind a relay, the reader has a terminal of its own; ours must not echo either.
  if (state !== "password" || probe.terminalMode()?.isEchoing !== false) return undefined;
  if (fingerprint !== "") return JSON.stringify(["reader", fingerprint, lastInputMs]);
  // The program belongs to another user, as sudo does. Then its output and its input show whether it has gone on.
  const group = probe.foregroundGroup() ?? 0;
  return JSON.stringify(["hidden", group, readProcess(group)?.startTime ?? "", store.end, lastInputMs]);
}
