/** Types into sessions. Refuses agents while a person holds the session, and counts the bytes of each caller. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Stroke } from "../../keys/parse-stroke.ts";
import { strokeParts } from "../../keys/stroke-parts.ts";
import type { InputPart } from "../../session/input/input-part.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Holds } from "../control/holds.ts";
import { type KeyEffect, type PipeAct, pipeActs } from "./pipe-acts.ts";
import type { SessionInput, WriteOptions } from "./session-input.ts";
import type { TypedBytes } from "./typed-bytes.ts";

/** Input that is on its way to a program. */
export interface Typing {
  /** Resolves when the program's terminal has accepted all of it. */
  readonly delivered: Promise<void>;
  /** How many bytes it has. */
  readonly bytes: number;
  /** What was done instead of typing keys, in a session without a terminal. */
  readonly effects: readonly KeyEffect[];
}

export class InputGate {
  readonly #holds: Holds;
  readonly #typed: TypedBytes;

  constructor(holds: Holds, typed: TypedBytes) {
    this.#holds = holds;
    this.#typed = typed;
  }

  /** Resolves when the program's terminal has accepted all of it, with the number of bytes. */
  async write(session: Session, input: SessionInput, options: WriteOptions): Promise<number> {
    const { by, holdMs = 0 } = options;
    requireThawed(session, options);
    if (by === "person" && holdMs > 0) this.#holds.noteTyping(session, holdMs);
    if (input === null) {
      this.#holds.requireFree(session, options);
      session.endInput();
      return 0;
    }
    if (input instanceof Uint8Array) {
      const bytes = Uint8Array.from(input);
      await this.#type(session, [{ encode: () => bytes }], options).delivered;
      return bytes.length;
    }
    const typing = this.queue(session, typeof input === "string" ? textStrokes(input) : input, options);
    await typing.delivered;
    return typing.bytes;
  }

  /** Queues the input and does not wait for the program. Throws if it cannot be typed at all. */
  queue(session: Session, strokes: readonly Stroke[], options: WriteOptions): Typing {
    requireThawed(session, options);
    this.#holds.requireFree(session, options);
    const typing = session.tty
      ? this.#type(
          session,
          strokeParts(strokes, () => session.keyModes),
          options,
        )
      : this.#pipe(session, pipeActs(strokes), options);
    // A turn may end before it awaits this promise.
    typing.delivered.catch(() => undefined);
    return typing;
  }

  /** Types this part as it is. Resolves when the program's terminal has accepted it, with the number of bytes. */
  async typePart(session: Session, part: InputPart, options: WriteOptions): Promise<number> {
    requireThawed(session, options);
    this.#holds.requireFree(session, options);
    const { delivered, bytes } = this.#type(session, [part], options);
    await delivered;
    return bytes;
  }

  /** Call this before other code types `bytes`. Throws `SESSION_HELD` if it must not. */
  admit(session: Session, bytes: number, options: WriteOptions): void {
    requireThawed(session, options);
    this.#holds.requireFree(session, options);
    this.#typed.note(session, bytes, options.caller);
  }

  #pipe(session: Session, acts: readonly PipeAct[], options: WriteOptions): Typing {
    let bytes = 0;
    const doing = acts.map((act) => {
      if (act.kind === "type") {
        const typing = this.#type(
          session,
          strokeParts([act.stroke], () => session.keyModes),
          options,
        );
        bytes += typing.bytes;
        return typing.delivered;
      }
      if (act.effect !== "input closed") return session.signal(act.effect);
      return session.endInput();
    });
    const effects = acts.flatMap((act) => (act.kind === "effect" ? [act.effect] : []));
    return { delivered: Promise.all(doing).then(() => undefined), bytes, effects };
  }

  /** A hold that begins meanwhile stops the parts that are not typed yet. */
  #type(session: Session, parts: readonly InputPart[], options: WriteOptions): Typing {
    const { caller } = options;
    const held = parts.map((part) => ({
      ...part,
      encode: () => {
        this.#holds.requireFree(session, options);
        return part.encode();
      },
    }));
    const bytes = parts.reduce((sum, part) => sum + part.encode().length, 0);
    const onDiscarded = (count: number) => this.#typed.noteDiscarded(session, count, caller);
    const note = (undelivered: number) => this.#typed.note(session, bytes - undelivered, caller);
    const delivered = internalsOf(session)
      .input.type(held, onDiscarded)
      .then(
        () => note(0),
        (error: unknown) => {
          note(error instanceof LimpetError ? (error.undeliveredBytes ?? bytes) : bytes);
          throw error;
        },
      );
    return { delivered, bytes, effects: [] };
  }
}

/** What an agent types would wait in the terminal, and take effect when nobody expects it. */
function requireThawed({ id, frozen }: Session, { by = "agent" }: Pick<WriteOptions, "by">): void {
  if (frozen === undefined || by === "person") return;
  throw new LimpetError(
    "SESSION_FROZEN",
    `A person has frozen session ${id}, so nothing was typed. Do not type until it is thawed; you can still read its output.`,
  );
}

function textStrokes(text: string): readonly Stroke[] {
  return [{ kind: "text", text }];
}
