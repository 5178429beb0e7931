/** A list in words that names at most `most` of them and counts the others: `a, b and 3 more`. Pure. */
export function listSome(words: readonly string[], most: number): string {
  const more = words.length - most;
  return more > 0 ? `${words.slice(0, most).join(", ")} and ${more} more` : words.join(", ");
}
