/**
 * UTF-8 to text over the borders of chunks; what is no UTF-8 becomes U+FFFD. The library could decode by itself, but loses
 * characters whose bytes come apart, such as a dash or a quotation mark.
 */
import { incompleteTail } from "../output/utf8-tail.ts";

export class ChunkDecoder {
  #begun: Buffer = Buffer.alloc(0);

  decode(chunk: Uint8Array): string {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const all = this.#begun.length > 0 ? Buffer.concat([this.#begun, bytes]) : bytes;
    const whole = all.length - incompleteTail(all, all.length);
    this.#begun = Buffer.from(all.subarray(whole));
    return all.toString("utf8", 0, whole);
  }
}
