/** Output through a cleaner, at once or piece by piece. */
import { Cleaner, type CleanerOptions } from "../../src/text/clean/cleaner.ts";

export function clean(input: string | Uint8Array, options?: CleanerOptions): string {
  const cleaner = new Cleaner(options);
  cleaner.push(Buffer.from(input as string));
  return ended(cleaner);
}

export function ended(cleaner: Cleaner): string {
  cleaner.end();
  return cleaner.take().text;
}

/** What each take gives when there is one after every piece. */
export function takes(...pieces: string[]): string[] {
  const cleaner = new Cleaner();
  return pieces.map((piece) => {
    cleaner.push(Buffer.from(piece));
    return cleaner.take().text;
  });
}
