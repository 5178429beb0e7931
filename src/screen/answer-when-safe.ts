/**
 * Answers the queries of a program that waits for the answer, in every session unless it was opened otherwise. irb and
 * bpython, for example, do nothing until they know where the caret is.
 *
 * An answer is typed into whatever reads the terminal, and a query may come from a file that somebody prints. So an
 * answer is given only if all of this holds at the moment when it is typed:
 * - the query is the last output: a shell that was given a file to print has shown its prompt since;
 * - a process is blocked reading the terminal in raw mode without echo, which no program that prints files is;
 * - that process is not a shell, which would take the answer as input for its line, and does not pass input on.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_REPLIES_PER_SECOND } from "../base/limits.ts";
import { readProcess } from "../linux/processes/processes.ts";
import { type InputVerdict, judgeInputState } from "../probe/judge-input-state.ts";
import type { Session } from "../session/session.ts";
import { internalsOf, type SessionInternals } from "../session/session-internals.ts";
import { answerTo, type TerminalQuery } from "../text/escape/terminal-queries.ts";
import { ReplyBudget } from "./reply-budget.ts";
import { screenOf } from "./screen.ts";

/** Shells ask nothing themselves; fish does, and always shows its prompt after what it has run. */
const SHELLS: ReadonlySet<string> = new Set([
  ..."ash bash busybox csh dash elvish ksh ksh93 mksh nu rbash sh tcsh yash zsh".split(" "),
]);
/** A program that asks starts to read within microseconds; on a busy machine it may take a while. */
const PATIENCE_MS = 2_000;
const SLOWEST_LOOK_MS = 32;

/** Resolves when the session's output has ended. */
export async function answerWhenSafe(session: Session): Promise<void> {
  const internals = internalsOf(session);
  const budget = new ReplyBudget(MAX_REPLIES_PER_SECOND);
  const { store } = internals;
  internals.areQueriesAnswered = true;
  while (!store.hasEnded && session.exit === undefined) {
    const queries = internals.pendingQueries();
    const { end } = store;
    if (queries.length > 0 && budget.take(performance.now())) await answer(session, queries);
    // Queries that were not answered within their time are not answered later either.
    while (store.end === end && !store.hasEnded && session.exit === undefined) await store.changes.next();
  }
}

async function answer(session: Session, queries: readonly TerminalQuery[]): Promise<void> {
  const internals = internalsOf(session);
  const { end } = internals.store;
  if (!(await becomesSafe(internals))) return;
  const { snapshot } = await screenOf(session).state({});
  const { row, col } = snapshot.caret;
  const position = { row: row + 1, col: Math.min(col + 1, snapshot.size.cols) };
  const text = queries.map((query) => answerTo(query, position)).join("");
  // Without an await in between, so that what was checked still holds.
  if (internals.store.end !== end || !isSafe(internals)) return;
  await session.write(text).catch(() => undefined);
}

/** False if anything else is printed first, or the program does not read in time. */
async function becomesSafe(internals: SessionInternals): Promise<boolean> {
  const { store } = internals;
  const { end } = store;
  const untilMs = performance.now() + PATIENCE_MS;
  for (let pauseMs = 1; performance.now() < untilMs; pauseMs = Math.min(pauseMs * 2, SLOWEST_LOOK_MS)) {
    const isReady = isSafe(internals);
    if (store.end !== end || internals.exit !== undefined) return false;
    if (isReady) return true;
    await sleep(pauseMs);
  }
  return false;
}

function isSafe({ channel, input }: SessionInternals): boolean {
  if (!channel.probe || input.queuedBytes > 0) return false;
  const verdict = judgeInputState(channel.probe.observe());
  const { basis } = verdict;
  return mayAnswer(verdict, basis.kind === "reader" ? readProcess(basis.pid)?.name : undefined);
}

/** Pure. `reader`: the name of the process that reads the terminal. */
export function mayAnswer({ basis }: InputVerdict, reader: string | undefined): boolean {
  if (basis.kind !== "reader" || basis.isRelayed || basis.isFar || reader === undefined) return false;
  return !basis.mode.isCanonical && !basis.mode.isEchoing && !SHELLS.has(reader.replace(/^-/, ""));
}
