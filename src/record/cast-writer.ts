/** Events to lines of a file, each with its time, in the order in which they are given. */
import { type CastEvent, type CastHeader, encodeEvent, encodeHeader } from "./asciicast.ts";
import { CastFile } from "./cast-file.ts";

interface CastWriterOptions {
  readonly path: string;
  readonly header: CastHeader;
  /** On the clock of the events: what counts as the beginning. */
  readonly zeroMs: number;
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

  /** Rejects with `CANNOT_RECORD` when the file cannot be made. A disk without room for the header is seen at the first event. */
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

  /** All or nothing of them. Rejects with the disk's own reason. */
  async write(events: readonly CastEvent[]): Promise<void> {
    const { header, zeroMs } = this.#options;
    let lines = "";
    let lastMs = this.#lastMs;
    for (const event of events) {
      // Coarse times and exact ones meet: none of them may run backwards.
      const atMs = Math.max(lastMs, Math.round(event.atMs - zeroMs));
      lines += encodeEvent(header.format, { ...event, atMs }, lastMs);
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
