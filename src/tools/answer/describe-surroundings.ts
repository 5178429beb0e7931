/** What an answer reports besides the requested output: who else typed, what is missing, what else runs. */
import { type Exit, limitOf } from "../../base/exit.ts";
import { listSome } from "../../base/format/list-some.ts";
import { describeLimit, limitWords } from "../../base/session-limits.ts";
import type { JournalHealth } from "../../journal/disk/journal-health.ts";
import type { Hold } from "../../service/control/hold.ts";
import type { KeyEffect } from "../../service/input/pipe-acts.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../service/listing/session-name.ts";
import type { AutoClose } from "../../service/listing/session-state.ts";
import type { SessionLeftovers } from "../../service/listing/session-summary.ts";
import type { SilentPlace } from "../../service/listing/silent-place.ts";
import type { PromptHelp } from "../../service/secrets/prompt.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import { quoteLine, visibleLine, wordOrQuote } from "../../text/clean/quote-line.ts";
import { describeSession } from "./describe-result.ts";

const REASON_CHARS = 200;
const NOTE_CHARS = 500;
const MOST_SECRETS = 20;
/** Every answer has these lines, and a fleet has many sessions and hosts. */
const MOST_LEFT = 5;
const MOST_LEFT_NAMES = 10;
const MOST_SILENT = 5;

/** For a program or a command that ended as if the kernel had killed it for lack of memory. */
export const OUT_OF_MEMORY: string = "Out of memory: the kernel killed a process while this ran";

export interface DescribedSurroundings {
  /** One line each. */
  readonly notes: readonly string[];
  /** Other sessions that are running. */
  readonly others: readonly SessionName[];
}

const EFFECTS: Readonly<Record<KeyEffect, string>> = {
  SIGINT: "Sent SIGINT: this session has no terminal to receive Ctrl+C",
  SIGQUIT: "Sent SIGQUIT: this session has no terminal to receive Ctrl+\\",
  "input closed": "Closed its input: this session has no terminal to receive Ctrl+D",
};

const FROZEN = "Frozen by a person: nothing in it runs until it is thawed; do not wait or type";

const ASKS = "Waits for its terminal to answer a query: if it hangs, start it again with answer_queries=true";

export function describeSurroundings({
  session,
  around,
  keyEffects,
}: Pick<TurnAnswer, "session" | "around" | "keyEffects">): DescribedSurroundings {
  const { held, frozen, closed, lost, journal, unreadInputBytes, asksTerminal, exit } = session;
  const {
    running,
    leftovers,
    typedByOthers,
    discardedInput,
    resizedTo,
    sandboxNotes,
    prompt,
    note,
    silent = [],
  } = around;
  return {
    others: running.filter((other) => keyOf(other) !== keyOf(session)),
    notes: [
      ...(prompt && exit === null ? describePrompt(keyOf(session), prompt) : []),
      ...keyEffects.map((effect) => EFFECTS[effect]),
      ...sandboxNotes,
      ...(discardedInput === 0 ? [] : [`Discarded by an interrupt key: ${discardedInput} bytes of your input`]),
      ...(unreadInputBytes === 0 ? [] : [`${exit ? "Never read" : "Not read yet"}: ${unreadInputBytes} bytes`]),
      ...(asksTerminal ? [ASKS] : []),
      ...(typedByOthers === 0 ? [] : [`Typed by others: ${typedByOthers} bytes`]),
      ...(resizedTo === null ? [] : [`Resized by others: now ${resizedTo.cols} columns by ${resizedTo.rows} rows`]),
      ...(note === undefined ? [] : [`Handed back by a person: ${quoteLine(note, { maxChars: NOTE_CHARS })}`]),
      ...(held === null ? [] : [describeHold(held)]),
      ...(frozen === null ? [] : [FROZEN]),
      // If limpet closed it for that, the next line says so.
      ...(exit && closed === null ? describeLimitEnd(exit) : []),
      ...(closed === null ? [] : [`Closed: ${describeAutoClose(closed)}`]),
      ...(lost ? ["Lost: its host died; its output up to then is readable"] : []),
      ...(journal?.kind === "degraded" ? [`Warning: ${describeJournal(journal)}`] : []),
      ...leftLines(leftovers),
      ...silentLines(silent),
    ],
  };
}

function leftLines(leftovers: readonly SessionLeftovers[]): string[] {
  const more = leftovers.length - MOST_LEFT;
  return [
    ...leftovers
      .slice(0, MOST_LEFT)
      .map((left) => `Left running by session ${describeSession(left)}: ${describeLeft(left)}`),
    ...(more > 0 ? [`Left running by ${more} more ${more === 1 ? "session" : "sessions"}`] : []),
  ];
}

/** The places that do not answer. */
export function silentLines(silent: readonly SilentPlace[]): string[] {
  const more = silent.length - MOST_SILENT;
  return [
    ...silent.slice(0, MOST_SILENT).map(describeSilent),
    ...(more > 0 ? [`No answer from ${more} more ${more === 1 ? "place" : "places"}`] : []),
  ];
}

/** Its sessions may still run. */
export function describeSilent({ place, problem }: SilentPlace): string {
  return `No answer from ${place}: ${quoteLine(problem, { maxChars: REASON_CHARS })}`;
}

/** Names only: a model types the name, never the value. */
function describePrompt(key: SessionKey, { secrets, byPerson }: PromptHelp): string[] {
  const names = listSome(secrets, MOST_SECRETS);
  const named = `write_stdin(session_id=${JSON.stringify(key)}, secret=NAME), one of: ${names}`;
  const ways = [...(secrets.length > 0 ? [named] : []), ...(byPerson ? [`a person runs: limpet answer ${key}`] : [])];
  return ways.length === 0 ? [] : [`To answer without seeing it: ${ways.join("; or ")}`];
}

function describeLimitEnd(exit: Exit): string[] {
  const limit = limitOf(exit);
  return limit === undefined ? [] : [`Ended by its limit of ${limitWords(limit)}`];
}

function describeHold(held: Hold): string {
  if (held.isTyping) return "A person is typing: wait some seconds before you type";
  return `Held by a person${describeReason(held)}: do not type`;
}

export function describeReason({ reason }: Hold): string {
  return reason === null ? "" : ` (${quoteLine(reason, { maxChars: REASON_CHARS })})`;
}

/** Each name once. */
export function describeLeft({ left }: Pick<SessionLeftovers, "left">): string {
  return listSome([...new Set(left.map(({ name }) => wordOrQuote(name)))], MOST_LEFT_NAMES);
}

export function describeJournal({ lostBytes, reason }: JournalHealth & { readonly kind: "degraded" }): string {
  return `journal on disk incomplete: ${lostBytes} bytes missing (${visibleLine(reason)})`;
}

export function describeAutoClose(closed: AutoClose): string {
  switch (closed.reason) {
    case "idle":
      return `nobody had used it for ${Math.round(closed.idleMs / 100) / 10} s`;
    case "left":
      return "it was idle and its client had gone";
    case "room":
      return "it was idle and its slot was needed";
    case "limit":
      return `it reached its limit of ${describeLimit(closed.limit, closed.value)}`;
  }
}

/** The program inside a session, after an arrow; empty if the session's own first word names it. */
export function describeInside(program: string, foreground: string | null): string {
  const [first = ""] = program.split(/\s/, 1);
  const isNamed = foreground === null || first === foreground || first.endsWith(`/${foreground}`);
  return isNamed ? "" : ` → ${wordOrQuote(foreground)}`;
}
