/**
 * Filters output between a channel and the journal, so that removed parts appear neither in text nor in searches nor on
 * the screen. It runs synchronously when output arrives.
 */
import type { OnOutput } from "../transport/transport.ts";

export interface OutputFilter {
  /**
   * Passes output to `pass`, in order and synchronously. May hold back what could be the beginning of something to
   * remove.
   */
  push(bytes: Uint8Array, pass: (bytes: Uint8Array) => void): void;
  /** Call when no more output follows. Passes on what was held back. */
  finish(pass: (bytes: Uint8Array) => void): void;
}

/** Wraps `append`, so that the output of a channel passes through the filter. */
export function filtered(filter: OutputFilter | undefined, append: OnOutput, onEvent: () => void): OnOutput {
  if (!filter) return append;
  const pass = (bytes: Uint8Array) => append(bytes, "terminal");
  return (bytes, origin) => {
    if (origin !== "terminal") append(bytes, origin);
    else filter.push(bytes, pass);
    onEvent();
  };
}
