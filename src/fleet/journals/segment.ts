/**
 * How the output of a session is divided for copies: into segments of equal size, which are stored in a ring of slots.
 * When the ring is full, a new segment replaces the oldest one, so the copies of a session are bounded. Pure.
 */

/** A compressed and encrypted segment stays below the 512 KiB that a message may have. */
export const SEGMENT_BYTES: number = 128 * 1024;
/** 32 MiB of output for each session. */
export const SLOTS = 256;

/** What identifies the copy of a session. */
export interface CopiedSession {
  readonly host: string;
  /** The epoch of the host in which the session was started. */
  readonly epoch: number;
  readonly id: number;
}

/** The stream with all copies of a fleet. */
export const JOURNAL_STREAM = "limpet-journals";

/** The first byte of the segment that contains this byte. */
export function segmentStart(cursor: number): number {
  return cursor - (cursor % SEGMENT_BYTES);
}

export function segmentSubject(session: CopiedSession, cursor: number): string {
  return `${sessionSubject(session)}.${Math.floor(cursor / SEGMENT_BYTES) % SLOTS}`;
}

/** The subject of the `CopyRecord`. */
export function metaSubject(session: CopiedSession): string {
  return `${sessionSubject(session)}.meta`;
}

/** Matches the records of all sessions of a host that have copies. */
export function metaSubjectsOf(host: string): string {
  return `limpet.journal.${host}.*.*.meta`;
}

/** Undefined for a subject that is not one of `metaSubject`. */
export function sessionOfMeta(subject: string): CopiedSession | undefined {
  const [, host, epoch, id] = /^limpet\.journal\.([\w-]+)\.(\d+)\.(\d+)\.meta$/.exec(subject) ?? [];
  return host === undefined ? undefined : { host, epoch: Number(epoch), id: Number(id) };
}

function sessionSubject({ host, epoch, id }: CopiedSession): string {
  return `limpet.journal.${host}.${epoch}.${id}`;
}
