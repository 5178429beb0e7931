/** Types what a dialect makes of a command, as much at a time as a terminal takes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { UnseenOptions } from "../pty/unseen-typing.ts";
import type { Channel } from "../transport/transport.ts";
import type { Dialect, FrameRequest } from "./dialects/dialect.ts";
import type { Frame } from "./frame.ts";
import { bundleLines, joinPieces } from "./typed-lines.ts";

/** A terminal that is full is looked at this often without a timer: the shell takes microseconds. */
const QUICK_LOOKS = 50;
const LOOK_MS = 1;

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
      await (looks < QUICK_LOOKS ? new Promise(setImmediate) : sleep(LOOK_MS));
    }
  }
}
