/**
 * Stands between a channel and the journal, so that what it takes out is in no view of the output: not in text, not in a
 * search, not on the screen. It works in the turn in which the output arrives.
 */
import type { OnOutput } from "../transport/transport.ts";

export interface OutputFilter {
  /** Hands what is output on to `pass`, in order, in this turn. May hold back what could be the beginning of something to take out. */
  push(bytes: Uint8Array, pass: (bytes: Uint8Array) => void): void;
  /** Nothing follows: hands on what it holds back. */
  finish(pass: (bytes: Uint8Array) => void): void;
}

/** What a channel delivers, as it gets to the journal. */
export function filtered(filter: OutputFilter | undefined, append: OnOutput, onEvent: () => void): OnOutput {
  if (!filter) return append;
  const pass = (bytes: Uint8Array) => append(bytes, "terminal");
  return (bytes, origin) => {
    if (origin !== "terminal") append(bytes, origin);
    else filter.push(bytes, pass);
    onEvent();
  };
}
