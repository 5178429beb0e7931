/**
 * The state of one side of a link, and how it reacts to each event. Pure.
 *
 * NATS delivers messages in order, or drops them. Each direction counts its messages, and a gap ends the link as lost.
 * Its user then repeats its requests over a new link. Neither side has more unread data in transit than the window. So
 * a slow reader slows its writer down, and NATS never buffers much for it.
 */
import type { Frame, FrameKind } from "./frame.ts";

/** NATS accepts one megabyte. Half of it leaves space for headers, and lets messages of other links pass in between. */
const MAX_PART_BYTES = 512 * 1024;
/** Consumed bytes are reported at the latest when they are this share of the window. */
const REPORT_AFTER = 0.25;
/** After this many ticks without a message, the link counts as lost. */
const MAX_SILENT_TICKS = 3;
const NO_DATA = new Uint8Array();

export interface LinkState {
  readonly phase: "open" | "ended" | "lost";
  readonly windowBytes: number;
  /** The sequence number of the next message in each direction. */
  readonly nextSent: number;
  readonly nextReceived: number;
  /** Bytes of data that were sent since the link was opened, and how many of them the other side has consumed. */
  readonly sentBytes: number;
  readonly takenBytes: number;
  /**
   * Bytes of data that were received, how many of them were consumed here, and how many consumed bytes were reported.
   */
  readonly receivedBytes: number;
  readonly consumedBytes: number;
  readonly reportedBytes: number;
  /** Since the last tick. */
  readonly hasSent: boolean;
  readonly hasHeard: boolean;
  readonly silentTicks: number;
  /** The other side sends no more data. */
  readonly isAtEnd: boolean;
}

export type LinkEvent =
  | { readonly type: "received"; readonly frame: Frame | undefined }
  /** At most `roomOf` bytes. */
  | { readonly type: "written"; readonly data: Uint8Array }
  | { readonly type: "consumed"; readonly bytes: number }
  | { readonly type: "tick" }
  | { readonly type: "end" }
  | { readonly type: "give up" };

export type LinkEffect =
  | { readonly type: "send"; readonly frame: Frame }
  | { readonly type: "deliver"; readonly data: Uint8Array }
  | { readonly type: "deliver end" }
  /** The window has room again. */
  | { readonly type: "room" }
  | { readonly type: "lost"; readonly why: string };

export interface LinkStep {
  readonly state: LinkState;
  readonly effects: readonly LinkEffect[];
}

export function newLink(windowBytes: number): LinkState {
  return {
    phase: "open",
    windowBytes,
    nextSent: 0,
    nextReceived: 0,
    sentBytes: 0,
    takenBytes: 0,
    receivedBytes: 0,
    consumedBytes: 0,
    reportedBytes: 0,
    hasSent: true,
    hasHeard: true,
    silentTicks: 0,
    isAtEnd: false,
  };
}

/** How many bytes the next message may have. 0 while the window is full, until the other side has consumed data. */
export function roomOf({ phase, windowBytes, sentBytes, takenBytes }: LinkState): number {
  return phase === "open" ? Math.min(MAX_PART_BYTES, windowBytes - (sentBytes - takenBytes)) : 0;
}

export function stepLink(state: LinkState, event: LinkEvent): LinkStep {
  if (state.phase === "lost") return { state, effects: [] };
  switch (event.type) {
    case "received":
      return received(state, event.frame);
    case "written":
      if (event.data.length > roomOf(state)) throw new RangeError("More data than the link has room for.");
      return send({ ...state, sentBytes: state.sentBytes + event.data.length }, "data", event.data);
    case "consumed":
      return consumed(state, event.bytes);
    case "tick":
      return tick(state);
    case "end":
      return state.phase === "open" ? send({ ...state, phase: "ended" }, "end") : { state, effects: [] };
    case "give up":
      return send({ ...state, phase: "lost" }, "reset");
  }
}

function received(state: LinkState, frame: Frame | undefined): LinkStep {
  if (!frame) return lost(state, "it received a message that does not belong to a link");
  if (frame.kind === "reset") {
    const why = "the other side has closed it";
    return { state: { ...state, phase: "lost" }, effects: [{ type: "lost", why }] };
  }
  if (frame.sequence !== state.nextReceived) return lost(state, "a message got lost");
  if (frame.consumed < state.takenBytes || frame.consumed > state.sentBytes)
    return lost(state, "the other side claims to have consumed what was not sent");
  const { length } = frame.data;
  const heard: LinkState = {
    ...state,
    nextReceived: state.nextReceived + 1,
    takenBytes: frame.consumed,
    receivedBytes: state.receivedBytes + length,
    hasHeard: true,
    isAtEnd: state.isAtEnd || frame.kind === "end",
  };
  if (state.isAtEnd && length > 0) return lost(state, "data arrived after its end");
  if (heard.receivedBytes - heard.consumedBytes > state.windowBytes)
    return lost(state, "the other side sent more than the window");
  const effects: LinkEffect[] = [];
  if (roomOf(state) === 0 && roomOf(heard) > 0) effects.push({ type: "room" });
  if (length > 0) effects.push({ type: "deliver", data: frame.data });
  if (frame.kind === "end") effects.push({ type: "deliver end" });
  return { state: heard, effects };
}

function consumed(state: LinkState, bytes: number): LinkStep {
  const after = { ...state, consumedBytes: state.consumedBytes + bytes };
  const isMuch = after.consumedBytes - after.reportedBytes >= state.windowBytes * REPORT_AFTER;
  return isMuch ? send(after, "credit") : { state: after, effects: [] };
}

/** Counts ticks without a message instead of time: after this process was suspended, messages may be waiting. */
function tick(state: LinkState): LinkStep {
  const silentTicks = state.hasHeard ? 0 : state.silentTicks + 1;
  if (silentTicks >= MAX_SILENT_TICKS) return lost(state, "the other side gave no sign of life");
  const quiet = { ...state, silentTicks, hasHeard: false };
  return state.hasSent ? { state: { ...quiet, hasSent: false }, effects: [] } : idle(send(quiet, "ping"));
}

/** Makes the next tick send a ping again. */
function idle({ state, effects }: LinkStep): LinkStep {
  return { state: { ...state, hasSent: false }, effects };
}

function send(state: LinkState, kind: FrameKind, data: Uint8Array = NO_DATA): LinkStep {
  const { nextSent: sequence, consumedBytes } = state;
  return {
    state: { ...state, nextSent: sequence + 1, reportedBytes: consumedBytes, hasSent: true },
    effects: [{ type: "send", frame: { kind, sequence, consumed: consumedBytes, data } }],
  };
}

/** Sends a reset, in case the other side still listens. */
function lost(state: LinkState, why: string): LinkStep {
  const { state: after, effects } = send({ ...state, phase: "lost" }, "reset");
  return { state: after, effects: [...effects, { type: "lost", why }] };
}
