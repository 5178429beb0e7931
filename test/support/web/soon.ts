import { expect } from "vitest";

/** Waits for what a page shows, as long as a busy machine with a browser may take. */
export function soon<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: 60_000 });
}
