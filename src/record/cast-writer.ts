/** Writes events to a recording file as lines with times, in the order of the calls. */
import { type CastEvent, encodeEvent, encodeHeader, type WrittenHeader } from "./asciicast.ts";
import { CastFile } from "./cast-file.ts";

interface CastWriterOptions {
  readonly path: string;
  readonly header: WrittenHeader;
  /** The start of the recording, on the clock of the events. */
  readonly zeroMs: number;
  /** Applied to every text. Default: nothing is changed. */
  readonly redact?: (text: string) => string;
}

export class CastWriter {
  readonly #options: CastWriterOptions;
  readonly #file: CastFile;
  #lastMs = 0;
  #events = 0;

  private constructor(options: CastWriterOptions, file: CastFile) {
    this.#options = options;
    this.#file = file;
  }

  /** Rejects with `CANNOT_RECORD` if the file cannot be created. A full disk is only detected at the first write. */
  static async create(options: CastWriterOptions): Promise<CastWriter> {
    return new CastWriter(options, await CastFile.create(options.path));
  }

  get fileBytes(): number {
    return this.#file.bytes;
  }

  get events(): number {
    return this.#events;
  }

  async begin(): Promise<void> {
    await this.#file.append(encodeHeader(this.#options.header));
  }

  /** Writes all events or none. Rejects with the error of the disk. */
  async write(events: readonly CastEvent[]): Promise<void> {
    const { header, zeroMs, redact } = this.#options;
    let lines = "";
    let lastMs = this.#lastMs;
    for (const event of events) {
      // Coarse and exact times are mixed, but time must not run backwards.
      const atMs = Math.max(lastMs, Math.round(event.atMs - zeroMs));
      lines += encodeEvent(header.format, { ...(redact ? redacted(event, redact) : event), atMs }, lastMs);
      lastMs = atMs;
    }
    if (lines === "") return;
    await this.#file.append(lines);
    this.#lastMs = lastMs;
    this.#events += events.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Pure. */
function redacted(event: CastEvent, redact: (text: string) => string): CastEvent {
  if ("text" in event) return { ...event, text: redact(event.text) };
  return "label" in event ? { ...event, label: redact(event.label) } : event;
}
