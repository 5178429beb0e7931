/** The errors of input that is not delivered. */
import { MAX_INPUT_BYTES, MAX_LINE_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";

export function lineTooLong(bytes: number, longest: number): LimpetError {
  return new LimpetError(
    "LINE_TOO_LONG",
    `The input contains a line of ${longest} bytes, but this program reads lines, which the kernel truncates at ${MAX_LINE_BYTES} bytes. Nothing was written: send shorter lines, or put the text into a file.`,
    { undeliveredBytes: bytes },
  );
}

export function inputBacklog(bytes: number, queuedBytes: number): LimpetError {
  return new LimpetError(
    "INPUT_BACKLOG",
    `The program has not read ${queuedBytes} bytes of input yet, and ${bytes} more would exceed the limit of ${MAX_INPUT_BYTES}. Nothing of this write was queued: wait until the program reads, or write smaller pieces.`,
    { undeliveredBytes: bytes },
  );
}

export function notDelivered(bytes: number, taken: number): LimpetError {
  return new LimpetError(
    "INPUT_NOT_DELIVERED",
    `The session ended before it accepted ${bytes - taken} of ${bytes} bytes of input. Start a new session to send them.`,
    { undeliveredBytes: bytes - taken },
  );
}

export function inputDiscarded(bytes: number, left: number): LimpetError {
  return new LimpetError(
    "INPUT_DISCARDED",
    `An interrupt key that was typed later discarded ${left} of ${bytes} bytes of input. Send them again if the program still needs them.`,
    { undeliveredBytes: left },
  );
}

export function inputEnded(bytes: number): LimpetError {
  return new LimpetError(
    "INPUT_CLOSED",
    `The input of this session has already ended, so these ${bytes} bytes cannot be written. Write before you end the input, or start a new session.`,
    { undeliveredBytes: bytes },
  );
}
