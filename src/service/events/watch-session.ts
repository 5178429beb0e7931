/** Reports what happens in one session until its program has ended: prompts, finished commands, the exit. */
import { commandLogOf } from "../../session/command-log.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import { waitOn } from "../../session/wait/wait-on.ts";
import { isSamePrompt, markOf, type PromptMark } from "./reported-events.ts";
import type { EventDetail } from "./session-event.ts";

interface SessionWatchOptions {
  readonly onEvent: (detail: EventDetail) => void;
  readonly signal: AbortSignal;
}

/** Only what happens from now on. A program that waits already is reported. Rejects with the signal's reason. */
export async function watchSession(session: Session, { onEvent, signal }: SessionWatchOptions): Promise<void> {
  const internals = internalsOf(session);
  const commands = commandLogOf(session);
  let finishesKnown = internals.finishes.count;
  let lastCommand = commands.entries.findLast(({ to }) => to !== null)?.number ?? 0;
  let prompt: PromptMark | null = null;
  for (;;) {
    const known = prompt;
    const waited = await waitOn(session, {
      from: session.endCursor,
      finishesKnown,
      knowsInput: ({ state, fingerprint }) => {
        const { lastInputMs, store, finishes } = internals;
        if (finishes.isPreparing) return true;
        return known !== null && isSamePrompt(known, { state, lastInputMs, cursor: store.end, fingerprint });
      },
      // Without a probe, silence would end the wait in place of a prompt.
      onInput: internals.hasProbe,
      signal,
    });
    const { result } = waited;
    finishesKnown = waited.finishesKnown;
    if (result.reason === "exited") return onEvent({ kind: "exited", exit: result.exit });
    if (result.reason === "input") {
      prompt = markOf(session, result.waitingFor);
      onEvent({ kind: "waiting", waitingFor: result.waitingFor });
    }
    if (result.reason !== "finished") continue;
    const done = commands.entries.filter(({ number, to }) => number > lastCommand && to !== null);
    lastCommand = done.at(-1)?.number ?? lastCommand;
    if (done.length === 0) onEvent(typedByPerson(result));
    for (const [index, { command, exitCode, cwd, durationMs }] of done.entries()) {
      const isLast = index === done.length - 1;
      const memory = isLast && result.outOfMemory ? { outOfMemory: true as const } : {};
      onEvent({ kind: "finished", command, exitCode, cwd: isLast ? result.cwd : cwd, durationMs, ...memory });
    }
  }
}

function typedByPerson({ exitCode, cwd }: WaitResult & { readonly reason: "finished" }): EventDetail {
  return { kind: "finished", command: null, exitCode, cwd, durationMs: null };
}
