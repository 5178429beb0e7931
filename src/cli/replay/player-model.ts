/** The keys of a replay: pause, seek, speed. Pure: a state and a key in, the next state out. */

export interface PlayState {
  /** The place in the recording at `sinceMs`. */
  readonly atMs: number;
  /** On the clock of `performance.now()`. */
  readonly sinceMs: number;
  readonly speed: number;
  readonly isPaused: boolean;
}

/** What is known of the whole recording. */
export interface PlayLength {
  readonly totalMs: number;
  /** Where its markers are: the commands of an agent, for example. Sorted. */
  readonly markersMs: readonly number[];
}

const SEEK_MS = 5_000;
const [SLOWEST, FASTEST] = [1 / 16, 64];
/** Going back from a place just behind a marker means the marker before it. */
const NEAR_MS = 1_000;

export function placeAt({ atMs, sinceMs, speed, isPaused }: PlayState, nowMs: number): number {
  return isPaused ? atMs : atMs + (nowMs - sinceMs) * speed;
}

/** Undefined: the person quits. */
export function pressInReplay(
  state: PlayState,
  key: string,
  { nowMs, length }: { readonly nowMs: number; readonly length: PlayLength },
): PlayState | undefined {
  const atMs = placeAt(state, nowMs);
  const to = (placeMs: number) => ({
    ...state,
    sinceMs: nowMs,
    atMs: Math.max(0, Math.min(placeMs, length.totalMs)),
  });
  const faster = (factor: number) => ({
    ...to(atMs),
    speed: Math.min(FASTEST, Math.max(SLOWEST, state.speed * factor)),
  });
  switch (key) {
    case "q":
    case "\x03":
    case "\x1b":
      return undefined;
    case " ":
      return { ...to(atMs), isPaused: !state.isPaused };
    case "\x1b[C":
    case "\x1bOC":
      return to(atMs + SEEK_MS);
    case "\x1b[D":
    case "\x1bOD":
      return to(atMs - SEEK_MS);
    case "0":
      return to(0);
    case "]":
      return to(length.markersMs.find((markerMs) => markerMs > atMs) ?? length.totalMs);
    case "[":
      return to(length.markersMs.findLast((markerMs) => markerMs < atMs - NEAR_MS) ?? 0);
    case "+":
    case "=":
      return faster(2);
    case "-":
      return faster(0.5);
    default:
      return state;
  }
}

export function describeReplay(state: PlayState, nowMs: number, { totalMs }: PlayLength): string {
  const place = `${clockOf(Math.min(totalMs, placeAt(state, nowMs)))} / ${clockOf(totalMs)}`;
  const how = state.isPaused ? "paused" : `${state.speed}x`;
  return `${place}  ${how}  space pause  ←→ 5s  [ ] marker  + - speed  q quit`;
}

/** `1:02:03`, `2:03`. */
function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
