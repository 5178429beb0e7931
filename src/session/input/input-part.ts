/** Input that is delivered at once. */
import type { InputGap } from "./input-gap.ts";

export interface InputPart {
  /** Called when its turn comes, because the parts before it can change how a key must be sent. May throw. */
  encode(): Uint8Array;
  /** What must happen between the part before and this one. Default: nothing. */
  readonly gap?: InputGap | undefined;
}
