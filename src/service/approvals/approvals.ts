/**
 * The requests for approval of everybody who uses the same sessions.
 *
 * A request is open until a person decides or its time is over, which denies it. An approval holds for one turn: the
 * turn redeems it, and a second turn finds it used. An approval that nobody redeems lapses after the same time.
 */
import { type Alarm, realAlarm } from "../../base/async/alarm.ts";
import { onAbort } from "../../base/async/on-abort.ts";
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_APPROVAL_CHARS, MAX_CALLERS, MAX_KEPT_APPROVALS, MAX_OPEN_APPROVALS } from "../../base/limits.ts";
import type { Asker } from "../owners/asker.ts";
import type { Approval, ApprovalAsk, ApprovalDecision, ApprovalState, ApprovalWait } from "./approval.ts";
import { alreadyDecided, notFound, notRedeemable, tooLong, tooMany } from "./approval-errors.ts";
import { isAnswered } from "./describe-state.ts";
import { fingerprintOf, isCovered } from "./same-act.ts";

interface ApprovalsOptions {
  /** Numbers that are never used again. Default: counts from 1. */
  readonly takeNumber?: () => number;
  readonly alarm?: Alarm;
  readonly nowMs?: () => number;
}

/** What a turn is about to do. */
interface Redeemed {
  readonly text: string;
  /** Where a command of a shell would run: another one may have changed it since. */
  readonly directory?: string | undefined;
  /** Default: here. */
  readonly place?: string | undefined;
}

interface Entry {
  readonly number: number;
  readonly ask: ApprovalAsk;
  readonly asker: Pick<Asker, "caller" | "client" | "owner">;
  readonly fingerprint: string;
  readonly openedMs: number;
  state: ApprovalState;
  /** The denial was reported to the caller. */
  isReported: boolean;
  cancelAlarm: () => void;
  readonly waiting: Set<() => void>;
}

const OPEN: ApprovalState = { kind: "open" };

export class Approvals {
  readonly #takeNumber: () => number;
  readonly #alarm: Alarm;
  readonly #nowMs: () => number;
  /** By number, the oldest first. */
  readonly #entries = new Map<number, Entry>();
  /** What was approved for a whole session, by client. */
  readonly #topics = new BoundedMap<string, Set<string>>(MAX_CALLERS);
  readonly #listeners = new Set<(opened: Approval) => void>();
  #last = 0;

  constructor({ takeNumber, alarm = realAlarm, nowMs = () => performance.now() }: ApprovalsOptions = {}) {
    this.#takeNumber = takeNumber ?? (() => this.#last + 1);
    this.#alarm = alarm;
    this.#nowMs = nowMs;
  }

  /** Called with each new request. Returns a function that ends this. */
  onOpened(listener: (opened: Approval) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  ask(ask: ApprovalAsk, asker: Asker): Approval {
    const known = this.#sent(ask, asker) ?? this.#equal(ask, asker);
    if (known) return this.#show(known);
    if (ask.act.text.length > MAX_APPROVAL_CHARS) throw tooLong(ask.act.text.length);
    const topics = this.#topics.get(clientOf(asker));
    if (topics && isCovered(ask.reasons, topics)) {
      const entry = this.#add(ask, asker);
      this.#settle(entry, { kind: "approved", scope: "session", by: "an earlier approval for this session" });
      return this.#show(entry);
    }
    const open = this.list().length;
    if (open >= MAX_OPEN_APPROVALS) throw tooMany(open);
    const entry = this.#add(ask, asker);
    const shown = this.#show(entry);
    for (const listener of this.#listeners) listener(shown);
    return shown;
  }

  /** Open ones, oldest first. */
  list(): readonly Approval[] {
    return [...this.#entries.values()].filter(({ state }) => state.kind === "open").map((entry) => this.#show(entry));
  }

  decide(number: number, decision: ApprovalDecision): Approval {
    const entry = this.#entries.get(number);
    if (!entry) throw notFound(number);
    if (entry.state.kind !== "open") {
      // Sent again after a broken connection, or by two people who agree.
      if (isAnswered(entry.state, decision)) return this.#show(entry);
      throw alreadyDecided(number, entry.state);
    }
    const { kind, ...how } = decision;
    if (decision.kind === "approve" && decision.scope === "session") this.#cover(entry);
    this.#settle(entry, { kind: kind === "approve" ? "approved" : "denied", ...how } as ApprovalState);
    return this.#show(entry);
  }

  async wait({ number, deadlineMs, signal }: ApprovalWait, asker: Asker): Promise<Approval> {
    signal?.throwIfAborted();
    const entry = this.#own(number, asker);
    if (entry.state.kind === "open" && deadlineMs !== 0) await this.#untilDecided(entry, deadlineMs, signal);
    signal?.throwIfAborted();
    // Nobody has denied it: the next equal call asks again. A denial is also reported to the next equal call.
    if (entry.state.kind === "expired") entry.isReported = true;
    return this.#show(entry);
  }

  withdraw(number: number, asker: Asker): void {
    const entry = this.#entries.get(number);
    if (entry?.asker.caller === asker.caller && entry.state.kind === "open") {
      this.#settle(entry, { kind: "withdrawn" });
    }
  }

  /** One turn makes use of an approval. Throws `APPROVAL_NEEDED` if it must not. */
  redeem(number: number, asker: Asker, { text, directory, place }: Redeemed): void {
    const entry = this.#own(number, asker);
    const { act } = entry.ask;
    const isElsewhere = act.session !== null && directory !== undefined && act.directory !== directory;
    const isSame = act.text === text && act.place === place && !isElsewhere;
    if (entry.state.kind !== "approved" || !isSame) throw notRedeemable(number, entry.state);
    this.#settle(entry, { ...entry.state, kind: "used" });
  }

  /** The entry of this request, if it was sent before: its connection may have broken. */
  #sent({ requestId }: ApprovalAsk, asker: Asker): Entry | undefined {
    return this.#find((entry) => clientOf(entry.asker) === clientOf(asker) && entry.ask.requestId === requestId);
  }

  /** An entry whose decision also applies to this request, because the caller repeats the same call. */
  #equal({ act, reasons, mode }: ApprovalAsk, { caller }: Asker): Entry | undefined {
    const fingerprint = fingerprintOf(act);
    const entry = this.#find(({ asker, state, isReported, ...each }) => {
      if (asker.caller !== caller || each.fingerprint !== fingerprint) return false;
      if (!isCovered(reasons, new Set(each.ask.reasons.map(({ topic }) => topic)))) return false;
      if (state.kind === "approved") return true;
      if (mode === "own") return false;
      return state.kind === "open" || ((state.kind === "denied" || state.kind === "expired") && !isReported);
    });
    if (entry && entry.state.kind !== "open" && entry.state.kind !== "approved") entry.isReported = true;
    return entry;
  }

  #find(isMeant: (entry: Entry) => boolean): Entry | undefined {
    return [...this.#entries.values()].findLast(isMeant);
  }

  #own(number: number, asker: Asker): Entry {
    const entry = this.#entries.get(number);
    if (entry?.asker.caller !== asker.caller) throw notFound(number);
    return entry;
  }

  #add(ask: ApprovalAsk, { caller, client, owner }: Asker): Entry {
    const number = this.#takeNumber();
    this.#last = number;
    const entry: Entry = {
      number,
      ask,
      asker: { caller, client, owner },
      fingerprint: fingerprintOf(ask.act),
      openedMs: this.#nowMs(),
      state: OPEN,
      isReported: false,
      cancelAlarm: () => undefined,
      waiting: new Set(),
    };
    this.#entries.set(number, entry);
    this.#lapse(entry);
    for (const [old, { state }] of this.#entries) {
      if (this.#entries.size <= MAX_KEPT_APPROVALS) break;
      if (state.kind !== "open") this.#entries.delete(old);
    }
    return entry;
  }

  #settle(entry: Entry, state: ApprovalState): void {
    entry.state = state;
    entry.cancelAlarm();
    if (state.kind === "approved") this.#lapse(entry);
    for (const wake of entry.waiting) wake();
  }

  /** Starts the time limit of the request, or of its approval. */
  #lapse(entry: Entry): void {
    entry.cancelAlarm = this.#alarm(entry.ask.timeoutMs, () => this.#settle(entry, { kind: "expired" }));
  }

  #cover({ asker, ask }: Entry): void {
    const topics = this.#topics.get(clientOf(asker)) ?? new Set<string>();
    for (const { topic } of ask.reasons) if (topics.size < MAX_KEPT_APPROVALS) topics.add(topic);
    this.#topics.set(clientOf(asker), topics);
  }

  #untilDecided(entry: Entry, deadlineMs: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancelAlarm = deadlineMs === undefined ? () => undefined : this.#alarm(deadlineMs, () => wake());
      const wake = () => {
        cancelAlarm();
        entry.waiting.delete(wake);
        forget();
        resolve();
      };
      entry.waiting.add(wake);
      const forget = onAbort(signal, wake);
    });
  }

  #show({ number, ask, asker, openedMs, state }: Entry): Approval {
    const { mode: _mode, requestId: _id, ...asked } = ask;
    const ageMs = Math.max(0, this.#nowMs() - openedMs);
    const leftMs = state.kind === "open" ? Math.max(0, ask.timeoutMs - ageMs) : 0;
    const { caller, project } = asker.owner;
    return { ...asked, caller, project, number, state, ageMs, leftMs };
  }
}

function clientOf({ client, caller }: Pick<Asker, "client" | "caller">): string {
  return client ?? caller;
}
