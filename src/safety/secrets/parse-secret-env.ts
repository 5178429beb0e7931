/** Pure: variables and the secrets that they get, from words such as `TOKEN` or `TOKEN=github`. */
export function parseSecretEnv(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf("=");
      return at < 0 ? [word, word] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
