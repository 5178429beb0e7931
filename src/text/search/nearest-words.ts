/** The known words that a misspelt word may stand for, nearest first. */

/** Longer words are not misspelt names. */
const LONGEST_WORD = 32;
const MOST_WORDS = 3;

export function nearestWords(word: string, known: readonly string[]): readonly string[] {
  const meant = word.toLowerCase();
  if (meant.length > LONGEST_WORD) return [];
  // A third of the letters may be wrong, one in short words.
  const most = Math.max(1, Math.floor(meant.length / 3));
  return known
    .map((candidate) => ({ candidate, edits: editsBetween(meant, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= most && edits < candidate.length)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MOST_WORDS)
    .map(({ candidate }) => candidate);
}

/** The number of letters to add, remove, replace or swap. */
function editsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let col = 1; col <= to.length; col += 1) {
      const isSame = from[row - 1] === to[col - 1];
      const isSwapped = from[row - 1] === to[col - 2] && from[row - 2] === to[col - 1];
      current[col] = Math.min(
        (last[col] ?? 0) + 1,
        (current[col - 1] ?? 0) + 1,
        (last[col - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[col - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
