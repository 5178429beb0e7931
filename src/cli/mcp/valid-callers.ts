import type { TokenFile } from "../../web/tokens/token-file.ts";

/** Whether a caller's token is valid. A file that cannot be read lets nobody in. */
export function validCallers(tokens: TokenFile): (caller: string) => boolean {
  return (caller) => {
    try {
      return tokens.list().some(({ name }) => name === caller);
    } catch {
      return false;
    }
  };
}
