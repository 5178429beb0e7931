/**
 * The latest known state of everything that pages show, with a version for each part. A page that has a version gets
 * what has changed since. Nothing is queued for a page, so a slow page costs nothing and gets the latest state.
 */
import { randomUUID } from "node:crypto";
import { Changes } from "../../../journal/changes.ts";
import type { Approval } from "../../../service/approvals/approval.ts";
import type { SessionSummary } from "../../../service/listing/session-summary.ts";
import type { SilentPlace } from "../../../service/listing/silent-place.ts";
import type { PageEvents, SessionCard } from "../messages.ts";
import { cardOf, faceOf, shownApproval } from "./card-of.ts";

/** The state of all sessions at one time. */
export interface Seen {
  readonly sessions: readonly SessionSummary[];
  readonly approvals: readonly Approval[];
  readonly silent: readonly SilentPlace[];
}

/** The parts of a page's stream that are about all sessions. */
export type BoardEvent = {
  readonly [Name in "sessions" | "approvals" | "silent" | "host"]: {
    readonly event: Name;
    readonly data: PageEvents[Name];
  };
}["sessions" | "approvals" | "silent" | "host"];

interface Placed {
  readonly card: SessionCard;
  readonly face: string;
  readonly version: number;
}

interface Part<T> {
  readonly value: T;
  readonly face: string;
  readonly version: number;
}

/** How many deleted sessions are remembered, for pages that reconnect. */
const MOST_GONE = 1_000;

export class Board {
  /** Versions of another server are ignored. */
  readonly instance: string = randomUUID().slice(0, 8);
  readonly changes: Changes = new Changes();
  #version = 0;
  #cards: ReadonlyMap<string, Placed> = new Map();
  #gone: readonly { readonly key: string; readonly version: number }[] = [];
  /** Sessions that were deleted before this version are forgotten. */
  #floor = 0;
  #approvals: Part<PageEvents["approvals"]> = { value: [], face: "[]", version: 0 };
  #silent: Part<PageEvents["silent"]> = { value: [], face: "[]", version: 0 };
  #host: Part<PageEvents["host"]> = { value: { isUp: true, problem: null }, face: "", version: 0 };
  #isComplete = false;

  get version(): number {
    return this.#version;
  }

  /** The sessions are known. Before that, a page would show an empty list. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get cards(): readonly SessionCard[] {
    return [...this.#cards.values()].map(({ card }) => card);
  }

  card(key: string): SessionCard | undefined {
    return this.#cards.get(key)?.card;
  }

  see({ sessions, approvals, silent }: Seen): void {
    const next = this.#version + 1;
    const cards = new Map<string, Placed>();
    let isChanged = !this.#isComplete;
    for (const session of sessions) {
      const card = cardOf(session, approvals);
      const face = faceOf(card);
      const known = this.#cards.get(card.key);
      const isSame = known?.face === face;
      isChanged ||= !isSame;
      cards.set(card.key, { card, face, version: isSame ? known.version : next });
    }
    const gone = [...this.#cards.keys()].filter((key) => !cards.has(key)).map((key) => ({ key, version: next }));
    this.#gone = [...this.#gone.filter(({ key }) => !cards.has(key)), ...gone];
    const forgotten = this.#gone.slice(0, -MOST_GONE).at(-1);
    if (forgotten) this.#floor = forgotten.version;
    this.#gone = this.#gone.slice(-MOST_GONE);
    this.#cards = cards;
    this.#isComplete = true;
    const shown = approvals.map(shownApproval);
    const ageless = shown.map(({ ageMs: _age, leftMs: _left, ...rest }) => rest);
    this.#approvals = replaced(this.#approvals, shown, JSON.stringify(ageless), next);
    this.#silent = replaced(this.#silent, silent, JSON.stringify(silent), next);
    const parts = [this.#approvals, this.#silent];
    this.#announce(isChanged || gone.length > 0 || parts.some(({ version }) => version === next), next);
    this.noteHost({ isUp: true, problem: null });
  }

  noteHost(host: PageEvents["host"]): void {
    const next = this.#version + 1;
    this.#host = replaced(this.#host, host, JSON.stringify(host), next);
    this.#announce(this.#host.version === next, next);
  }

  /**
   * What has changed since a version; everything if that is undefined or too long ago. `only`: the one session shown.
   */
  since(version: number | undefined, only: string | null): readonly BoardEvent[] {
    const isAll = version === undefined || version < this.#floor || version > this.#version;
    const after = isAll ? -1 : version;
    const isShown = (key: string) => only === null || key === only;
    const cards = [...this.#cards.values()].filter((each) => each.version > after && isShown(each.card.key));
    const gone = isAll ? [] : this.#gone.filter((each) => each.version > after && isShown(each.key));
    const isNew = (part: Part<unknown>) => part.version > after;
    const hasSessions = this.#isComplete && (isAll || cards.length + gone.length > 0);
    return [
      ...(isNew(this.#host) ? [{ event: "host", data: this.#host.value } as const] : []),
      ...(isNew(this.#approvals) && only === null
        ? [{ event: "approvals", data: this.#approvals.value } as const]
        : []),
      ...(isNew(this.#silent) && only === null ? [{ event: "silent", data: this.#silent.value } as const] : []),
      ...(hasSessions
        ? [
            {
              event: "sessions",
              data: { isAll, cards: cards.map(({ card }) => card), gone: gone.map(({ key }) => key) },
            } as const,
          ]
        : []),
    ];
  }

  #announce(isChanged: boolean, version: number): void {
    if (!isChanged) return;
    this.#version = version;
    this.changes.announce();
  }
}

function replaced<T>(part: Part<T>, value: T, face: string, version: number): Part<T> {
  return part.face === face ? part : { value, face, version };
}
