/** A piece of input that is delivered in one write. */
import type { InputGap } from "./input-gap.ts";

export interface InputPart {
  /** Called just before the delivery, because earlier parts can change how a key must be sent. May throw. */
  encode(): Uint8Array;
  /** What must happen between the part before and this one. Default: nothing. */
  readonly gap?: InputGap | undefined;
}
