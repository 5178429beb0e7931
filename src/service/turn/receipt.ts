/** What identifies an answer, to say whether it arrived. */
import type { Cursor } from "../../base/cursor.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { ReportedEvents } from "../events/reported-events.ts";

/** Identifies the output of an answer, to acknowledge it or give it back. Opaque plain data. */
export interface Receipt {
  /** Of the request that was answered; null if that has none. */
  readonly requestId: string | null;
  readonly session: number;
  /** Of the session, if it is at a place. */
  readonly place?: string | undefined;
  readonly from: Cursor;
  readonly to: Cursor;
  /** How often output had been given back to this caller before. */
  readonly returns: number;
  /** How many bytes typed by others were reported to this caller before. */
  readonly typedBefore: number;
  /** How many discarded bytes of its own were reported to this caller before. */
  readonly discardsBefore: number;
  /** The size of the terminal that this caller knew before; null if it knew none. */
  readonly sizeBefore: TerminalSize | null;
  /** The events that this caller knew of before the answer, and knows of after it. */
  readonly eventsBefore: ReportedEvents;
  readonly events: ReportedEvents;
}

/** An answer that a caller has received. */
export interface ReceiptOf {
  readonly caller: string;
  readonly receipt: Receipt;
}

/** An answer that a caller has not received: by its receipt, or by its request if it never arrived. */
export type Undelivered = ReceiptOf | { readonly caller: string; readonly requestId: string };
