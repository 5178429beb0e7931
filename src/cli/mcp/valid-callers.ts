import type { TokenFile } from "../../web/tokens/token-file.ts";

/** Whether a caller's token is valid. If the file cannot be read, no token is valid. */
export function validCallers(tokens: TokenFile): (caller: string) => boolean {
  return (caller) => {
    try {
      return tokens.list().some(({ name }) => name === caller);
    } catch {
      return false;
    }
  };
}
