/** Reads a recording from its file, event by event, at any length. A last line that a crash truncated is skipped. */
import { createReadStream } from "node:fs";
import { MAX_CAST_LINE_BYTES } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { LineSplitter, type SplitLine } from "../base/line-splitter.ts";
import { type CastEvent, type CastHeader, decodeEvent, decodeHeader } from "./asciicast.ts";

/** A recording that can be read. */
export interface RecordingFile {
  readonly header: CastHeader;
  /** All events in order; can be iterated once. Lines that are not known events are skipped. */
  events(): AsyncGenerator<CastEvent, void, undefined>;
}

/** Rejects with `BAD_RECORDING` if the file cannot be read or is not an asciicast of version 2 or 3. */
export async function readRecording(file: string): Promise<RecordingFile> {
  const lines = linesOf(file);
  const first = await lines.next();
  const header = decodeHeader(!first.done && first.value.kind === "line" ? first.value.text : "");
  return { header, events: () => eventsOf(header, lines) };
}

async function* eventsOf(
  header: CastHeader,
  lines: AsyncIterable<SplitLine>,
): AsyncGenerator<CastEvent, void, undefined> {
  let lastMs = 0;
  for await (const line of lines) {
    const event = line.kind === "line" ? decodeEvent(header.format, line.text, lastMs) : undefined;
    if (!event) continue;
    lastMs = event.atMs;
    yield event;
  }
}

async function* linesOf(file: string): AsyncGenerator<SplitLine, void, undefined> {
  const splitter = new LineSplitter(MAX_CAST_LINE_BYTES);
  try {
    for await (const chunk of createReadStream(file)) yield* splitter.push(chunk as Buffer);
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new LimpetError("BAD_RECORDING", `The recording ${file} cannot be read (${code}). Pass a readable file.`, {
      cause,
    });
  }
  // The last line may be complete except for its line feed. An incomplete line is skipped like any other invalid line.
  yield* splitter.push(Uint8Array.of(0x0a));
}
