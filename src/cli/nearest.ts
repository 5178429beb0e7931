/** Which of the known words was probably meant. Pure. */

/** Undefined where none is near: at most a third of the letters, and never more than two, may be wrong. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const allowed = Math.min(2, Math.max(1, Math.floor(word.length / 3)));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= allowed || (word.length > 1 && candidate.startsWith(word)))
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.candidate;
}

/** Letters to insert, remove, change, or swap with their neighbour. */
function distanceOf(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (next[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
