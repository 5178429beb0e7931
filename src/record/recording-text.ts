/** Converts a recording to readable text: without control sequences, with redrawn lines in their last state. */
import { Cleaner } from "../text/clean/cleaner.ts";
import type { RecordingFile } from "./read-recording.ts";

/** Yields the text in pieces as it is read. */
export async function* recordingText({ header, events }: RecordingFile): AsyncGenerator<string, void, undefined> {
  const cleaner = new Cleaner(header.size);
  const encoder = new TextEncoder();
  for await (const event of events()) {
    if (event.kind !== "output") continue;
    cleaner.push(encoder.encode(event.text));
    const { text } = cleaner.drain();
    if (text !== "") yield text;
  }
  cleaner.end();
  yield cleaner.take().text;
}
