import { MAX_ANIMATION_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Reel } from "../../screen/picture/reel.ts";

/** Removes stills until the document is small enough. */
export function fitReel<T>(reel: Reel, draw: () => T, fits: (drawn: T) => boolean): T {
  for (;;) {
    const drawn = draw();
    if (fits(drawn)) return drawn;
    if (reel.stills.length === 1) {
      throw new LimpetError(
        "BAD_RECORDING",
        `A single picture of the recording takes more than ${MAX_ANIMATION_BYTES} bytes. Record a smaller terminal.`,
      );
    }
    reel.coarsen();
  }
}
