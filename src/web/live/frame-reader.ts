/**
 * Reads the frames that a WebSocket client sends. A viewer sends only control frames: everything else closes the
 * connection, a large frame before its content is read. Pure, except for what it holds.
 */

/** The longest content of a control frame. No other frames are accepted. */
const MAX_CONTENT_BYTES = 125;
const MASK_BYTES = 4;

/** Close codes of RFC 6455. */
export const CLOSE_CODES = {
  normal: 1000,
  protocol: 1002,
  notText: 1007,
  notAllowed: 1008,
  tooLarge: 1009,
} as const;

export type ClientFrame =
  | { readonly kind: "ping"; readonly content: Buffer }
  | { readonly kind: "pong" }
  | { readonly kind: "close"; readonly code: number };

const [TEXT, BINARY, CLOSE, PING, PONG] = [0x1, 0x2, 0x8, 0x9, 0xa];

export class FrameReader {
  #held: Buffer = Buffer.alloc(0);

  /** The frames that are complete. After a `close`, nothing is read. */
  push(chunk: Buffer): readonly ClientFrame[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const frames: ClientFrame[] = [];
    for (;;) {
      const frame = this.#take();
      if (!frame) return frames;
      frames.push(frame);
      if (frame.kind === "close") return frames;
    }
  }

  #take(): ClientFrame | undefined {
    const [first, second] = this.#held;
    if (first === undefined || second === undefined) return undefined;
    const opcode = first & 0x0f;
    const isControl = opcode === CLOSE || opcode === PING || opcode === PONG;
    const isData = opcode <= BINARY;
    if ((first & 0x70) !== 0 || !(isControl || isData)) return close(CLOSE_CODES.protocol);
    // Clients mask what they send.
    if ((second & 0x80) === 0) return close(CLOSE_CODES.protocol);
    const length = second & 0x7f;
    if (length > MAX_CONTENT_BYTES) return close(isControl ? CLOSE_CODES.protocol : CLOSE_CODES.tooLarge);
    if (isControl && (first & 0x80) === 0) return close(CLOSE_CODES.protocol);
    const end = 2 + MASK_BYTES + length;
    if (this.#held.length < end) return undefined;
    const content = unmasked(this.#held.subarray(2, end));
    this.#held = this.#held.subarray(end);
    if (opcode === PING) return { kind: "ping", content };
    if (opcode === PONG) return { kind: "pong" };
    if (opcode === CLOSE) return close(CLOSE_CODES.normal);
    return close(opcode === TEXT && !isText(content) ? CLOSE_CODES.notText : CLOSE_CODES.notAllowed);
  }
}

function close(code: number): ClientFrame {
  return { kind: "close", code };
}

function unmasked(bytes: Buffer): Buffer {
  const mask = bytes.subarray(0, MASK_BYTES);
  return Buffer.from(bytes.subarray(MASK_BYTES).map((byte, index) => byte ^ (mask[index % MASK_BYTES] ?? 0)));
}

function isText(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
