/** Stills as frames that say only what has changed. Pure. */
import type { Still } from "../still.ts";
import { caretPath } from "../svg/drawn-caret.ts";
import type { Frame, PlayerData } from "./player-data.ts";

/** Equal rows are in the table once, whichever frames show them. */
export function framesOf(stills: readonly Still[]): Pick<PlayerData, "frames" | "rows"> {
  const numbers = new Map<string, number>([["", 0]]);
  const numberOf = (row: string | undefined): number => {
    const known = numbers.get(row ?? "");
    if (known !== undefined) return known;
    numbers.set(row ?? "", numbers.size);
    return numbers.size - 1;
  };
  const most = Math.max(...stills.map(({ size }) => size.rows));
  const shown = Array.from({ length: most }, () => [0, 0]);
  const frames = stills.map((still): Frame => {
    const changed = shown.flatMap(([ground, text], row) => {
      const next = [numberOf(still.grounds[row]), numberOf(still.texts[row])] as const;
      if (next[0] === ground && next[1] === text) return [];
      shown[row] = [...next];
      return [[row, ...next] as const];
    });
    const { caret } = still;
    const drawn = caret ? { path: caretPath(caret), isBlock: caret.shape === "block" } : null;
    return { atMs: still.atMs, rows: changed, caret: drawn };
  });
  return { rows: [...numbers.keys()], frames };
}
