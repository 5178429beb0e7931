/** Types what a dialect makes of a command, as much at a time as a terminal takes, and has its marks listened for. */
import type { UnseenOptions } from "../pty/unseen-typing.ts";
import type { Probe } from "../transport/probe.ts";
import { bundleLines, joinPieces } from "./bundle-lines.ts";
import type { Dialect, FrameRequest } from "./dialects/dialect.ts";
import type { Frame } from "./frame.ts";
import type { FrameFilter } from "./frame-filter.ts";
import { newNonce } from "./mark.ts";
import { PollPause } from "./poll-pause.ts";

/** One that reads at all has read by then what a terminal takes at once, unless the machine is very busy. */
const STALLED_MS = 500;

/** A command, and what the shell has told at the end of the last one. */
export type TypedRequest = Omit<FrameRequest, "nonce">;

interface TypingParts {
  readonly probe: Probe;
  readonly dialect: Dialect;
  readonly filter: FrameFilter;
  readonly promptNonce: string;
}

export class FrameTyping {
  readonly #parts: TypingParts;
  /** When the latest part of it was typed. */
  #typedMs = 0;

  constructor(parts: TypingParts) {
    this.#parts = parts;
  }

  /** From here on, no mark of anything typed before counts. */
  async type(frame: Frame, request: TypedRequest): Promise<void> {
    const nonce = newNonce();
    this.#parts.filter.expect(nonce);
    await this.#type(frame, { ...request, nonce });
  }

  /** Asks for the shell's state; it may still tell by itself. */
  async ask(frame: Frame, told: Pick<TypedRequest, "flags" | "status">): Promise<void> {
    const nonce = newNonce();
    this.#parts.filter.expectAlso(nonce);
    await this.#type(frame, { ...told, command: undefined, redirects: "", nonce });
  }

  /** The shell has begun it, or does not read it. */
  async untilStarted(frame: Frame): Promise<void> {
    const isOnItsWay = () => ["typing", "typed"].includes(frame.state.phase);
    const isStalled = () => performance.now() - this.#typedMs > STALLED_MS;
    const pause = new PollPause();
    while (isOnItsWay() && !isStalled()) await pause.next();
  }

  /** One that edits lines waits for this after each mark. */
  goOn(options: UnseenOptions): void {
    const { dialect, probe } = this.#parts;
    if (dialect.editsLines) probe.typeUnseen(Buffer.from("\n"), options);
  }

  async #type(frame: Frame, request: FrameRequest): Promise<void> {
    const { probe, dialect, promptNonce } = this.#parts;
    const text = joinPieces(dialect.frame(request, promptNonce));
    const bundles = bundleLines(text).map((bundle) => Buffer.from(bundle, "latin1"));
    // A shell that is asked may edit lines: it has just started, or was thrown back.
    const isHiddenLast = dialect.editsLines && request.command !== undefined;
    for (const [index, bundle] of bundles.entries()) {
      if (index > 0) await this.#untilTaken(frame);
      const stayHidden = index < bundles.length - 1 || isHiddenLast;
      this.#typedMs = performance.now();
      if (frame.isDone || !probe.typeUnseen(bundle, { keepUnread: index > 0, stayHidden })) return;
    }
    frame.happen({ type: "allTyped" });
  }

  /** What was typed before was read. */
  async #untilTaken(frame: Frame): Promise<void> {
    const pause = new PollPause();
    while (!frame.isDone && this.#parts.probe.hasUnreadInput()) await pause.next();
  }
}
