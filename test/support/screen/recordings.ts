/** Recordings, as tests need them. */
import { join } from "node:path";
import { type CastEvent, type CastHeader, readRecording } from "../../../src/entries/record.ts";

export interface ReadBack {
  readonly header: CastHeader;
  readonly events: readonly CastEvent[];
  /** All output, in one. */
  readonly output: string;
  /** All input, in one. */
  readonly input: string;
}

export async function readBack(file: string): Promise<ReadBack> {
  const recording = await readRecording(file);
  const events: CastEvent[] = [];
  for await (const event of recording.events()) events.push(event);
  const textOf = (kind: "output" | "input") => events.map((event) => (event.kind === kind ? event.text : "")).join("");
  return { header: recording.header, events, output: textOf("output"), input: textOf("input") };
}

/** Names of new recordings in a directory. */
export function newFilesIn(directory: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    return join(directory, `${made}.cast`);
  };
}
