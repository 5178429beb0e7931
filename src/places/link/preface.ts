/** Finds the lines of the bootstrap in the output of a command, until the stream of the host begins. */
import { LimpetError } from "../../base/limpet-error.ts";

const LINE_FEED = 0x0a;
/** Other output, such as that of a login shell, is kept only for error messages. */
const MAX_NOISE_CHARS = 2_000;
/** Facts have a few hundred bytes. A longer line does not belong to the bootstrap. */
const MAX_LINE_BYTES = 65_536;

export interface PrefaceLine {
  /** Its first word. */
  readonly word: string;
  readonly rest: string;
}

export class Preface {
  readonly #start: string;
  #held: Buffer = Buffer.alloc(0);
  #noise = "";

  constructor(start: string) {
    this.#start = start;
  }

  /** The end of the output that does not belong to the bootstrap. */
  get noise(): string {
    return this.#noise;
  }

  /** The bytes after the last line that was taken. */
  get rest(): Buffer {
    return this.#held;
  }

  push(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
  }

  /** The next line of the bootstrap; undefined if it has not arrived yet. */
  take(): PrefaceLine | undefined {
    for (let end = this.#held.indexOf(LINE_FEED); end >= 0; end = this.#held.indexOf(LINE_FEED)) {
      const line = this.#held.subarray(0, end).toString().replace(/\r$/, "");
      this.#held = this.#held.subarray(end + 1);
      if (line.startsWith(this.#start)) {
        const [, word = "", rest = ""] = /^(\S+) ?(.*)$/s.exec(line.slice(this.#start.length)) ?? [];
        return { word, rest };
      }
      this.#keepNoise(`${line}\n`);
    }
    if (this.#held.length > MAX_LINE_BYTES) {
      this.#keepNoise(this.#held.toString());
      this.#held = Buffer.alloc(0);
    }
    return undefined;
  }

  #keepNoise(text: string): void {
    this.#noise = (this.#noise + text).slice(-MAX_NOISE_CHARS);
  }
}

/**
 * An error that the place reported as code and message. If this version does not know the code, the message contains
 * all of it.
 */
export function reportedError(rest: string, isKnown: (code: string) => boolean): LimpetError {
  const [, code = "", message = ""] = /^([A-Z_]+) (.*)$/s.exec(rest) ?? [];
  if (!isKnown(code))
    return new LimpetError("PLACE_UNREACHABLE", `The place could not start a host: ${rest}. Fix that there.`);
  return new LimpetError(code as LimpetError["code"], message);
}
