import type { Cursor } from "../../base/cursor.ts";

/**
 * Whether all output reached the disk. `degraded` is permanent: in total `lostBytes` are missing, the first of them at
 * `atCursor`. `reason` is the latest, usually the error code of the disk (ENOSPC). If the disk hangs, `lostBytes` also
 * counts queued output, which may still be written.
 */
export type JournalHealth =
  | { readonly kind: "good" }
  | { readonly kind: "degraded"; readonly lostBytes: number; readonly atCursor: Cursor; readonly reason: string };

/** Some output did not reach the disk: all that was lost so far, and where the last of it ends. */
export type OnLoss = (health: JournalHealth & { readonly kind: "degraded" }, end: Cursor) => void;

/** The health after another loss. */
export function degraded(
  before: JournalHealth,
  lost: { readonly cursor: Cursor; readonly bytes: number; readonly reason: string },
): JournalHealth & { readonly kind: "degraded" } {
  const { lostBytes, atCursor } = before.kind === "degraded" ? before : { lostBytes: 0, atCursor: lost.cursor };
  return { kind: "degraded", lostBytes: lostBytes + lost.bytes, atCursor, reason: lost.reason };
}
