/** The compact form in which a host sends the screen of an answer to its client. Pure. */
import { type PackedRun, packRow, unpackRow } from "../screen/pack-cells.ts";
import type { TurnAnswer } from "../service/turn/turn-answer.ts";

/** `packed`: one entry per row of `cells`. */
export function packScreen(answer: TurnAnswer): unknown {
  const { screen } = answer;
  if (!screen?.snapshot.cells) return answer;
  const { cells, ...snapshot } = screen.snapshot;
  return { ...answer, screen: { ...screen, snapshot: { ...snapshot, packed: cells.map(packRow) } } };
}

/** The inverse of `packScreen`. */
export function unpackScreen(received: TurnAnswer): TurnAnswer {
  const { screen } = received;
  if (!screen || !("packed" in screen.snapshot)) return received;
  const { packed, ...snapshot } = screen.snapshot;
  const cells = (packed as readonly (readonly PackedRun[])[]).map(unpackRow);
  return { ...received, screen: { ...screen, snapshot: { ...snapshot, cells } } };
}
