/**
 * Types a command in the form of its dialect, in parts that fit into the terminal's buffer, and makes the filter expect
 * its marks.
 */
import type { UnseenOptions } from "../../pty/unseen-typing.ts";
import type { Probe } from "../../transport/probe.ts";
import type { Dialect, FrameRequest } from "../dialects/dialect.ts";
import { PollPause } from "../poll-pause.ts";
import { bundleLines, joinPieces } from "./bundle-lines.ts";
import type { Frame } from "./frame.ts";
import type { FrameFilter } from "./frame-filter.ts";
import { newNonce } from "./mark.ts";

/** A shell that reads at all empties the terminal's buffer within this time, unless the machine is very busy. */
const STALLED_MS = 500;

/** A command, and what the shell reported at the end of the last one. */
export type TypedRequest = Omit<FrameRequest, "nonce">;

interface TypingParts {
  readonly probe: Probe;
  readonly dialect: Dialect;
  readonly filter: FrameFilter;
  readonly promptNonce: string;
}

export class FrameTyping {
  readonly #parts: TypingParts;
  /** When the latest part was typed. */
  #typedMs = 0;

  constructor(parts: TypingParts) {
    this.#parts = parts;
  }

  /** From now on, marks of earlier commands do not count. */
  async type(frame: Frame, request: TypedRequest): Promise<void> {
    const nonce = newNonce();
    this.#parts.filter.expect(nonce);
    await this.#type(frame, { ...request, nonce });
  }

  /** Asks the shell for its state. Marks of the command still count: its end mark may still arrive. */
  async ask(frame: Frame, reported: Pick<TypedRequest, "flags" | "status">): Promise<void> {
    const nonce = newNonce();
    this.#parts.filter.expectAlso(nonce);
    await this.#type(frame, { ...reported, command: undefined, redirects: "", nonce });
  }

  /** Resolves when the shell has started the command, or if it does not read it. */
  async untilStarted(frame: Frame): Promise<void> {
    const isOnItsWay = () => ["typing", "typed"].includes(frame.state.phase);
    const isStalled = () => performance.now() - this.#typedMs > STALLED_MS;
    const pause = new PollPause();
    while (isOnItsWay() && !isStalled()) await pause.next();
  }

  /** A shell that edits lines waits for an empty line after each mark. */
  resume(options: UnseenOptions): void {
    const { dialect, probe } = this.#parts;
    if (dialect.editsLines) probe.typeUnseen(Buffer.from("\n"), options);
  }

  async #type(frame: Frame, request: FrameRequest): Promise<void> {
    const { probe, dialect, promptNonce } = this.#parts;
    const text = joinPieces(dialect.frame(request, promptNonce));
    const bundles = bundleLines(text).map((bundle) => Buffer.from(bundle, "latin1"));
    // A shell that is asked for its state may edit lines: it has just started, or an error threw it back to its prompt.
    const isHiddenLast = dialect.editsLines && request.command !== undefined;
    for (const [index, bundle] of bundles.entries()) {
      if (index > 0) await this.#untilRead(frame);
      const stayHidden = index < bundles.length - 1 || isHiddenLast;
      this.#typedMs = performance.now();
      if (frame.isDone || !probe.typeUnseen(bundle, { keepUnread: index > 0, stayHidden })) return;
    }
    frame.dispatch({ type: "allTyped" });
  }

  /** Resolves when the shell has read what was typed before. */
  async #untilRead(frame: Frame): Promise<void> {
    const pause = new PollPause();
    while (!frame.isDone && this.#parts.probe.hasUnreadInput()) await pause.next();
  }
}
