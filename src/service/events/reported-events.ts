/**
 * Which events of each session were reported to each caller: its end, a prompt, a port, a finished command. So each
 * event is reported to each caller once, whatever others do.
 *
 * As with output, an event counts as reported for the client as soon as it is in an answer, and for the caller when
 * that answer is acknowledged. The next client of the caller gets the events of an answer that was lost on its way.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Cursor } from "../../base/cursor.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import type { InputVerdict } from "../../probe/judge-input-state.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { isInput, type WaitResult } from "../../session/wait/decide-wait.ts";
import type { Reader } from "../turn/read-positions.ts";

/** A moment at which a program waited for input. Plain data. */
export interface PromptMark {
  readonly state: string;
  /** When input was last delivered before it. */
  readonly lastInputMs: number;
  /** The end of the output. */
  readonly cursor: Cursor;
  /** Equal if the reading thread has not run in between. */
  readonly fingerprint: string;
}

/** What a caller knows about a session. Plain data. */
export interface ReportedEvents {
  /** How many commands have finished, if it is a shell. */
  readonly finishes: number;
  readonly hasEnded: boolean;
  readonly prompt: PromptMark | null;
  readonly ports: readonly number[];
}

/** The facts in an answer. */
interface AnsweredEvents {
  readonly waitingFor: string | null;
  readonly result: WaitResult | null;
  readonly finishes: number;
}

interface Entry {
  /** The client that asks for the caller; undefined for the caller itself. */
  client: string | undefined;
  reported: ReportedEvents;
  acknowledged: ReportedEvents;
}

/**
 * Pure: whether a program waits at the prompt that was reported. After new input it is another prompt. Without new
 * input, a program in line mode is at another prompt only if it has printed and read again. A program that reads keys
 * may print at any time, as a spinner does.
 */
export function isSamePrompt(reported: PromptMark, now: PromptMark): boolean {
  if (reported.state !== now.state || reported.lastInputMs !== now.lastInputMs) return false;
  return now.state === "key" || reported.cursor === now.cursor || reported.fingerprint === now.fingerprint;
}

export class EventReports {
  /** By session, then by caller. */
  readonly #entries = new WeakMap<Session, BoundedMap<string, Entry>>();
  /** Sessions that ended before this service started: nobody waits for them. */
  readonly #old: WeakSet<Session>;

  constructor(sessions: readonly Session[]) {
    this.#old = new WeakSet(sessions.filter(({ exit }) => exit !== undefined));
  }

  of(session: Session, { caller, client }: Reader): ReportedEvents {
    const entry = this.#find(session, caller);
    return entry.client === client ? entry.reported : entry.acknowledged;
  }

  /** Call this with what an answer says about the session. Returns what the caller knows after it. */
  note(session: Session, reader: Reader, { waitingFor, result, finishes }: AnsweredEvents): ReportedEvents {
    const before = this.of(session, reader);
    // An unknown state counts only if all signs are that the program waits.
    const isKnown = waitingFor !== "unknown" || result?.reason === "input";
    const isParked = waitingFor !== null && isKnown && !session.exit;
    const reported = {
      finishes,
      hasEnded: before.hasEnded || session.exit !== undefined,
      prompt: isParked ? markOf(session, waitingFor) : null,
      ports: result?.reason === "listening" ? [...new Set([...before.ports, result.port])] : before.ports,
    };
    Object.assign(this.#find(session, reader.caller), { client: reader.client, reported });
    return reported;
  }

  /** The caller has received an answer, after which it knows this. */
  acknowledge(session: Session, caller: string, reported: ReportedEvents): void {
    this.#find(session, caller).acknowledged = reported;
  }

  /** The caller did not receive an answer: it knows what it knew before. */
  giveBack(session: Session, { caller, client }: Reader, before: ReportedEvents): void {
    const entry = this.#find(session, caller);
    // Another client continues with what was acknowledged.
    if (entry.client === client) Object.assign(entry, { reported: before, acknowledged: before });
  }

  /** Whether this wait for input was reported to the caller. */
  knowsInput(session: Session, reader: Reader, verdict: InputVerdict): boolean {
    const { prompt } = this.of(session, reader);
    if (!prompt || !isInput(verdict)) return false;
    const { state, fingerprint } = verdict;
    const { lastInputMs, store } = internalsOf(session);
    return isSamePrompt(prompt, { state, lastInputMs, cursor: store.end, fingerprint });
  }

  #find(session: Session, caller: string): Entry {
    const entries = this.#entries.get(session) ?? new BoundedMap<string, Entry>(MAX_CALLERS);
    this.#entries.set(session, entries);
    // Commands that finished before this caller's first call are not reported to it.
    const { count: finishes } = internalsOf(session).finishes;
    const nothing: ReportedEvents = { finishes, hasEnded: this.#old.has(session), prompt: null, ports: [] };
    const entry = entries.get(caller) ?? { client: undefined, reported: nothing, acknowledged: nothing };
    entries.set(caller, entry);
    return entry;
  }
}

/** In key mode the state of the thread shows nothing, so it is not observed. */
export function markOf(session: Session, state: string): PromptMark {
  const internals = internalsOf(session);
  const fingerprint = state === "key" ? "" : internals.observeInput().fingerprint;
  return { state, lastInputMs: internals.lastInputMs, cursor: internals.store.end, fingerprint };
}
