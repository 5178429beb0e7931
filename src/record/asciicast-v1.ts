/** Reads asciicast version 1, which is one JSON object with all output in it. Pure. */
import type { CastEvent, CastHeader } from "./asciicast.ts";
import { asList, headerFields, isRecord, parseJson } from "./asciicast-fields.ts";

export interface CastV1 {
  readonly header: CastHeader;
  readonly events: readonly CastEvent[];
}

/** Undefined if the text is not a recording of version 1. Entries of another form are skipped. */
export function decodeV1(text: string): CastV1 | undefined {
  const recording = parseJson(text);
  if (!isRecord(recording) || recording["version"] !== 1) return undefined;
  const { width, height, stdout } = recording;
  const fields = headerFields({ ...recording, cols: width, rows: height });
  if (!fields || !Array.isArray(stdout)) return undefined;
  return { header: { format: 1, ...fields }, events: eventsOf(stdout) };
}

/** Each entry has the time since the previous one. */
function eventsOf(entries: readonly unknown[]): readonly CastEvent[] {
  let ms = 0;
  return entries.flatMap((entry): CastEvent[] => {
    const [seconds, text] = asList(entry);
    if (typeof seconds !== "number" || typeof text !== "string") return [];
    const next = ms + Math.max(0, seconds) * 1000;
    if (!Number.isFinite(next)) return [];
    ms = next;
    return [{ atMs: Math.round(ms), kind: "output", text }];
  });
}
