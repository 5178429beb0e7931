/** Types what a dialect makes of a command, as much at a time as a terminal takes. */
import type { UnseenOptions } from "../pty/unseen-typing.ts";
import type { Channel } from "../transport/transport.ts";
import type { Dialect, FrameRequest } from "./dialects/dialect.ts";
import type { Frame } from "./frame.ts";
import { untilNextLook } from "./look-again.ts";
import { bundleLines, joinPieces } from "./typed-lines.ts";

export class FrameTyping {
  readonly #channel: Channel;
  readonly #dialect: Dialect;
  readonly #promptNonce: string;

  constructor(channel: Channel, dialect: Dialect, promptNonce: string) {
    this.#channel = channel;
    this.#dialect = dialect;
    this.#promptNonce = promptNonce;
  }

  async type(frame: Frame, request: FrameRequest): Promise<void> {
    const text = joinPieces(this.#dialect.frame(request, this.#promptNonce));
    const bundles = bundleLines(text).map((bundle) => Buffer.from(bundle, "latin1"));
    for (const [index, bundle] of bundles.entries()) {
      if (index > 0) await this.#untilTaken(frame);
      const isLast = index === bundles.length - 1;
      const stayHidden = !isLast || (this.#dialect.editsLines && !frame.isAsking);
      if (frame.isDone || !this.#channel.typeUnseen(bundle, { keepUnread: index > 0, stayHidden })) return;
    }
    frame.isTyped = true;
  }

  /** One that edits lines waits for this after each mark. */
  goOn(options: UnseenOptions): void {
    if (this.#dialect.editsLines) this.#channel.typeUnseen(Buffer.from("\n"), options);
  }

  /** What was typed before was read. */
  async #untilTaken(frame: Frame): Promise<void> {
    for (let looks = 0; !frame.isDone && this.#channel.hasUnreadInput(); looks += 1) {
      await untilNextLook(looks);
    }
  }
}
