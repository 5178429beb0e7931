/** Waiting for a session and looking at it: what is there to know, and up to where its output has been dealt with. */
import type { Cursor } from "../base/cursor.ts";
import type { OutputStore } from "../journal/output-store.ts";
import { type InputVerdict, judgeInput } from "../probe/judge-input.ts";
import type { Channel } from "../transport/transport.ts";
import type { Finishes } from "./output-filter.ts";
import type { SessionEnd } from "./session-end.ts";
import type { SessionInput } from "./session-input.ts";
import { lookForInput, readStatus, type SessionStatus } from "./session-status.ts";
import type { TerminalModeTracker } from "./terminal-mode-tracker.ts";
import type { WaitResult } from "./wait/decide-wait.ts";
import { SearchedParts } from "./wait/searched-parts.ts";
import { type Waitable, type WaitOptions, waitFor } from "./wait/wait-for.ts";

interface WaitParts {
  readonly kept: OutputStore;
  readonly channel: Channel;
  readonly input: SessionInput;
  readonly end: SessionEnd;
  readonly finishes: Finishes;
  readonly modeTracker: TerminalModeTracker;
}

export class SessionWaits {
  readonly #parts: WaitParts;
  readonly #waitable: Waitable;
  readonly #searched = new SearchedParts();
  #seenTo: Cursor = 0;

  constructor(parts: WaitParts) {
    this.#parts = parts;
    this.#waitable = asWaitable(parts);
  }

  async wait(options: WaitOptions): Promise<WaitResult> {
    const from = options.from ?? this.#seenTo;
    const recallFrom = this.#searched.startOf(from);
    const yielded = await waitFor(this.#waitable, { ...options, from, recallFrom });
    const isInVain = options.until !== undefined && yielded.reason !== "matched";
    if (isInVain) this.#searched.note(recallFrom, yielded.cursor);
    if (options.from === undefined) this.markSeen(yielded.cursor);
    return yielded;
  }

  get seenTo(): Cursor {
    return this.#seenTo;
  }

  markSeen(cursor: Cursor): void {
    this.#seenTo = Math.max(this.#seenTo, cursor);
  }

  waitingFor(): Promise<SessionStatus["waitingFor"]> {
    return lookForInput(this.#waitable);
  }

  status(): Promise<SessionStatus> {
    const { channel, modeTracker } = this.#parts;
    const isFullScreen = modeTracker.isAlternateScreen;
    return readStatus(this.#waitable, { isStopped: channel.isStopped(), isFullScreen });
  }
}

function asWaitable(parts: WaitParts): Waitable {
  const { kept, channel, input, end, finishes } = parts;
  return {
    kept,
    get exit() {
      return end.exit;
    },
    get lastInputMs() {
      return input.lastMs;
    },
    look: () => look(parts),
    listening: () => channel.listening(),
    finishes,
  };
}

function look({ channel, input, finishes }: WaitParts): InputVerdict {
  if (input.queuedBytes > 0) return judgeInput("input queued");
  const seen = channel.lookForInput();
  const isReady = finishes.isBetween && typeof seen?.reader === "object" && seen.reader.pid === channel.pid;
  return judgeInput(isReady ? "ready for a command" : seen);
}
