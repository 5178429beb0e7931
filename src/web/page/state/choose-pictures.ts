/** Which pictures of screens are loaded next. Pure. */

/** A picture on the page. */
export interface PictureSlot {
  readonly key: string;
  /** The version that the page shows; null before the first. */
  readonly shown: string | null;
  /** The latest version. */
  readonly wanted: string;
  readonly isVisible: boolean;
  readonly isLoading: boolean;
  /** When its last load started. */
  readonly startedMs: number;
}

/** Browsers open six connections to a server: one is the stream, and what a person types must not wait. */
const MOST_LOADING = 3;
/** A picture of a noisy screen changes about twice per second: more cannot be read. */
const SHORTEST_MS = 500;

export interface PictureChoice {
  readonly start: readonly string[];
  /** When to ask again; null: when something changes. */
  readonly againMs: number | null;
}

/** Those that have waited longest first, so that none starves. What is out of view is not loaded. */
export function choosePictures(slots: Iterable<PictureSlot>, nowMs: number): PictureChoice {
  const all = [...slots];
  const room = MOST_LOADING - all.filter(({ isLoading }) => isLoading).length;
  const stale = all
    .filter(({ isVisible, isLoading, shown, wanted }) => isVisible && !isLoading && shown !== wanted)
    .sort((one, other) => one.startedMs - other.startedMs);
  const due = stale.filter((slot) => slot.shown === null || nowMs - slot.startedMs >= SHORTEST_MS);
  const later = stale.filter((slot) => !due.includes(slot)).map(({ startedMs }) => startedMs + SHORTEST_MS);
  return {
    start: due.slice(0, Math.max(0, room)).map(({ key }) => key),
    againMs: later.length === 0 ? null : Math.min(...later),
  };
}
