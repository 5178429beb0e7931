/**
 * Reads a recording from its file, event by event, at any length; version 1 as a whole. A last line that a crash
 * truncated is skipped.
 */
import { createReadStream } from "node:fs";
import { LineSplitter, type SplitLine } from "../base/format/line-splitter.ts";
import { MAX_CAST_LINE_BYTES, MAX_CAST_V1_BYTES } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { type CastEvent, type CastFormat, type CastHeader, decodeEvent, decodeHeader } from "./asciicast.ts";
import { isRecord, parseJson } from "./asciicast-fields.ts";
import { decodeV1 } from "./asciicast-v1.ts";

/** A recording that can be read. */
export interface RecordingFile {
  readonly header: CastHeader;
  /** All events in order; can be iterated once. Lines that are not known events are skipped. */
  events(): AsyncGenerator<CastEvent, void, undefined>;
}

const LINE_FEED = 0x0a;

/** Rejects with `BAD_RECORDING` if the file cannot be read or is not an asciicast of version 1, 2 or 3. */
export async function readRecording(file: string): Promise<RecordingFile> {
  const chunks = chunksOf(file);
  const head = await collect(chunks, (chunk) => chunk.includes(LINE_FEED), MAX_CAST_LINE_BYTES);
  const end = head.indexOf(LINE_FEED);
  const firstLine = head.toString("utf8", 0, end < 0 ? head.length : end);
  if (mayBeginV1(firstLine)) {
    const rest = await collect(chunks, () => false, MAX_CAST_V1_BYTES);
    await chunks.return();
    const old = decodeV1(Buffer.concat([head, rest]).toString("utf8"));
    if (old) return { header: old.header, events: () => eachOf(old.events) };
  }
  const header = decodeHeader(firstLine);
  return { header, events: () => eventsOf(header.format, linesOf(head.subarray(end + 1), chunks)) };
}

/** Version 1 is one object, on one line or on many. */
function mayBeginV1(line: string): boolean {
  const value = parseJson(line);
  return value === undefined ? /^\s*\{/.test(line) : isRecord(value) && value["version"] === 1;
}

/** All chunks up to the first that `isLast`, or until there are more bytes than `maxBytes`. */
async function collect(
  chunks: AsyncGenerator<Buffer, void, undefined>,
  isLast: (chunk: Buffer) => boolean,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let bytes = 0; bytes <= maxBytes; ) {
    const { value, done } = await chunks.next();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    if (isLast(value)) break;
  }
  return Buffer.concat(parts);
}

async function* eachOf(events: readonly CastEvent[]): AsyncGenerator<CastEvent, void, undefined> {
  yield* events;
}

async function* eventsOf(
  format: CastFormat,
  lines: AsyncIterable<SplitLine>,
): AsyncGenerator<CastEvent, void, undefined> {
  let lastMs = 0;
  for await (const line of lines) {
    const event = line.kind === "line" ? decodeEvent(format, line.text, lastMs) : undefined;
    if (!event) continue;
    lastMs = event.atMs;
    yield event;
  }
}

async function* linesOf(first: Buffer, chunks: AsyncIterable<Buffer>): AsyncGenerator<SplitLine, void, undefined> {
  const splitter = new LineSplitter(MAX_CAST_LINE_BYTES);
  yield* splitter.push(first);
  for await (const chunk of chunks) yield* splitter.push(chunk);
  // The last line may be complete except for its line feed. An incomplete line is skipped like any other invalid line.
  yield* splitter.push(Uint8Array.of(LINE_FEED));
}

async function* chunksOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Buffer;
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new LimpetError("BAD_RECORDING", `The recording ${file} cannot be read (${code}). Pass a readable file.`, {
      cause,
    });
  }
}
