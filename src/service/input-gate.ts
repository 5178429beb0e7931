/** Types into sessions. Refuses agents while a person holds the session, and counts the bytes of each caller. */
import { encodeStrokes, type Stroke } from "../keys/encode-strokes.ts";
import type { Session } from "../session/session.ts";
import type { Holds } from "./holds.ts";
import type { SessionInput, WriteOptions } from "./session-service.ts";
import type { TypedBytes } from "./typed-bytes.ts";

export class InputGate {
  readonly #holds: Holds;
  readonly #typed: TypedBytes;

  constructor(holds: Holds, typed: TypedBytes) {
    this.#holds = holds;
    this.#typed = typed;
  }

  async write(session: Session, input: SessionInput, options: WriteOptions): Promise<void> {
    if (input === null) {
      this.#holds.requireFree(session, options);
      session.endInput();
    } else if (typeof input === "string" || input instanceof Uint8Array) {
      await this.#type(session, input, options);
    } else await this.press(session, input, options);
  }

  async press(session: Session, strokes: readonly Stroke[], options: WriteOptions): Promise<void> {
    await this.#type(session, encodeStrokes(strokes, session.keyModes), options);
  }

  /** Call this before other code types `bytes`. Throws `SESSION_HELD` if it must not. */
  admit(session: Session, bytes: number, options: WriteOptions): void {
    this.#holds.requireFree(session, options);
    this.#typed.note(session, bytes, options.caller);
  }

  async #type(session: Session, input: string | Uint8Array, options: WriteOptions): Promise<void> {
    this.#holds.requireFree(session, options);
    await session.write(input);
    this.#typed.note(session, Buffer.byteLength(input), options.caller);
  }
}
