/** Builds the answer of a turn: the state and the output of the session at the instant when the wait ended. */
import type { Cursor } from "../../base/cursor.ts";
import type { Scope } from "../../session/registry/resolve-session.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { KnownSizes } from "../control/known-sizes.ts";
import type { ReleaseNotes } from "../control/release-notes.ts";
import type { EventReports } from "../events/reported-events.ts";
import type { TypedBytes } from "../input/typed-bytes.ts";
import { type Listing, nameOf } from "../listing/listing.ts";
import type { SessionName } from "../listing/session-name.ts";
import type { SessionState } from "../listing/session-state.ts";
import type { Asker } from "../owners/asker.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { PromptAnswers } from "../secrets/prompt-answers.ts";
import type { Reader, ReadPositions } from "./read-positions.ts";
import type { Receipt } from "./receipt.ts";
import { type AnsweredTurn, droppedTextOf } from "./recent-turns.ts";
import type { SeenScreens } from "./seen-screens.ts";
import type { TurnAnswer } from "./turn-answer.ts";
import { endOfReading, readRange, restoreText, shownScreen } from "./turn-content.ts";
import type { TurnRead, TurnRequest } from "./turn-request.ts";
import { observedAfter, outcomeOf, type Waited } from "./waited.ts";

interface ReaderParts {
  readonly registry: SessionRegistry;
  readonly positions: ReadPositions;
  readonly seenScreens: SeenScreens;
  readonly typed: TypedBytes;
  readonly sizes: KnownSizes;
  readonly notes: ReleaseNotes;
  readonly reports: EventReports;
  readonly listing: Listing;
  readonly sandboxes: Sandboxes;
  readonly prompts: PromptAnswers;
}

type Content = Pick<TurnAnswer, "output" | "matches" | "screen">;

const NOTHING: Content = { output: null, matches: null, screen: null };

export class TurnReader {
  readonly #parts: ReaderParts;
  #lastRunning: readonly SessionName[] = [];

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  async read(waited: Waited, request: TurnRequest, asker: Asker): Promise<AnsweredTurn> {
    const { listing, positions, seenScreens, typed, sizes, notes, reports } = this.#parts;
    const { session, isReused, result, command, keyEffects } = waited;
    const { signal, read, isWatch = false, requestId = null } = request;
    const { caller, client, scope } = asker;
    const leftovers = isWatch ? [] : await listing.leftovers(scope);
    const shown = read?.kind === "screen" ? await shownScreen(session, read) : null;
    const waitingFor = await observedAfter(waited);
    const prompt = waitingFor === "password" && !isWatch ? await this.#parts.prompts.help() : null;
    signal?.throwIfAborted();
    // No await from here to the end of the output, so that all of it describes one instant.
    const to = session.endCursor;
    const state: SessionState = {
      ...listing.identityOf(session),
      isIdle: internalsOf(session).isIdle,
      foreground: internalsOf(session).foreground,
      waitingFor: session.exit ? null : waitingFor,
    };
    const running = isWatch ? [] : this.#running(scope);
    const eventsBefore = reports.of(session, asker);
    const isReported = !isWatch && (result !== null || command !== null);
    const reported = { waitingFor: state.waitingFor, result, finishes: waited.finishesKnown };
    const events = isReported ? reports.note(session, asker, reported) : eventsBefore;
    if (state.waitingFor === "password" && !isWatch) this.#parts.prompts.noteReported(session, caller);
    const typedBefore = typed.knownBy(session, caller);
    const typedByOthers = isWatch ? 0 : typed.takeUnreported(session, caller);
    const discardsBefore = typed.discardsKnownBy(session, caller);
    const discardedInput = isWatch ? 0 : typed.takeDiscarded(session, caller);
    const sizeBefore = sizes.knownBy(session, caller);
    if (request.on.kind === "run" && request.on.run.cols !== undefined) sizes.note(session, caller);
    const resizedTo = isWatch ? null : sizes.takeChanged(session, caller);
    const note = isWatch ? null : notes.takeFor(session, caller);
    const content = await this.#content(session, {
      read,
      to: endOfReading(read, result, to),
      unreadFrom: waited.unreadFrom,
      signal,
      reader: asker,
    }).catch((error: unknown) => {
      typed.restoreUnreported(session, caller, typedBefore);
      typed.restoreDiscarded(session, caller, discardsBefore);
      if (sizeBefore) sizes.note(session, caller, sizeBefore);
      if (note !== null) notes.restore(session, caller);
      reports.giveBack(session, asker, eventsBefore);
      throw error;
    });
    const screen = shown && {
      ...shown,
      before: seenScreens.swap(session, caller, shown.snapshot),
      reason: waited.screenReason,
    };
    const range = command ?? (read?.kind === "unread" ? { from: content.output?.from, to: content.output?.next } : {});
    if (command) await positions.readerFor(session, asker).moveTo(command.to);
    const taken: Receipt = {
      requestId,
      session: session.id,
      from: range.from ?? to,
      to: range.to ?? to,
      returns: positions.returnsOf(session, caller),
      typedBefore,
      discardsBefore,
      sizeBefore,
      eventsBefore,
      events,
    };
    const receipt = range.to === undefined ? null : taken;
    if (receipt && client === undefined) positions.acknowledge(session, caller, receipt);
    // Whoever only starts a program reads nothing about it.
    const isHeard = !isWatch && (result !== null || command !== null || read !== undefined);
    const outcome = outcomeOf(waited, content);
    const sandboxNotes = isHeard ? await this.#parts.sandboxes.notesOn(session, caller, outcome) : [];
    const others = { running, leftovers, typedByOthers };
    const around = { ...others, discardedInput, resizedTo, sandboxNotes, prompt, ...(note === null ? {} : { note }) };
    const answer = { session: state, isReused, result, command, keyEffects, around, receipt, ...content, screen };
    if (!signal?.aborted) return { answer, taken };
    this.takeBack({ answer, taken }, asker);
    throw signal.reason;
  }

  /**
   * Sessions that run, without idle shells. The same array as before unless something has changed: answers are kept,
   * and a hundred sessions would be in each of them.
   */
  #running(scope: Scope): readonly SessionName[] {
    const working = this.#parts.registry.list({ scope }).filter((each) => !internalsOf(each).isIdle);
    if (!isSameNames(this.#lastRunning, working)) this.#lastRunning = working.map(nameOf);
    return this.#lastRunning;
  }

  /** The client did not receive the answer. */
  takeBack({ answer, taken }: AnsweredTurn, reader: Reader): void {
    this.giveBack(taken, reader);
    const session = this.#known(taken.session);
    if (session && answer.screen) this.#parts.seenScreens.restore(session, reader.caller, answer.screen);
  }

  /** The same answer, for a repeated request. */
  async again(answer: TurnAnswer, request: TurnRequest, { caller, client, scope }: Asker): Promise<TurnAnswer> {
    const { positions } = this.#parts;
    const session = this.#known(answer.session.id);
    if (!session) return answer;
    const { receipt } = answer;
    if (receipt) {
      await positions.readerFor(session, { caller, client }).skipOver(receipt);
      if (client === undefined) positions.acknowledge(session, caller, receipt);
    }
    if (!droppedTextOf(answer)) return answer;
    const { isWatch = false } = request;
    const leftovers = isWatch ? [] : await this.#parts.listing.leftovers(scope);
    const around = { ...answer.around, running: isWatch ? [] : this.#running(scope), leftovers };
    return await restoreText({ ...answer, around }, session, request);
  }

  /** The caller did not receive the answer. */
  giveBack(receipt: Receipt, reader: Reader): void {
    const { session: id, from, to, typedBefore, discardsBefore, sizeBefore, eventsBefore } = receipt;
    const session = this.#known(id);
    if (!session) return;
    this.#parts.typed.restoreUnreported(session, reader.caller, typedBefore);
    this.#parts.typed.restoreDiscarded(session, reader.caller, discardsBefore);
    if (sizeBefore) this.#parts.sizes.note(session, reader.caller, sizeBefore);
    this.#parts.notes.restore(session, reader.caller);
    this.#parts.reports.giveBack(session, reader, eventsBefore);
    if (from < to) this.#parts.positions.giveBack(session, reader, from);
  }

  async #content(session: Session, { read, to, unreadFrom, signal, reader }: ContentRequest): Promise<Content> {
    switch (read?.kind) {
      case "unread": {
        const { kind: _kind, endAtMatch: _end, whole = false, ...options } = read;
        const from = whole ? unreadFrom : undefined;
        const output = await this.#parts.positions.readerFor(session, reader).next({ ...options, from, to, signal });
        return { ...NOTHING, output };
      }
      case "text":
      case "page":
      case "head":
      case "tail":
        return { ...NOTHING, output: await readRange(session, read, to) };
      case "search": {
        const { kind: _kind, pattern, ...options } = read;
        return { ...NOTHING, matches: await session.grep(pattern, options) };
      }
      default:
        return NOTHING;
    }
  }

  #known(id: number): Session | undefined {
    return this.#parts.registry.list({ ended: true }).find((session) => session.id === id);
  }
}

interface ContentRequest {
  readonly read: TurnRead | undefined;
  /** The end of the output at the instant of the answer. */
  readonly to: Cursor;
  /** Where the caller's unread output began when the turn started. */
  readonly unreadFrom: Cursor;
  readonly signal: AbortSignal | undefined;
  readonly reader: Reader;
}

function isSameNames(names: readonly SessionName[], sessions: readonly Session[]): boolean {
  if (names.length !== sessions.length) return false;
  return names.every(({ id, name }, index) => id === sessions[index]?.id && name === (sessions[index]?.name ?? null));
}
