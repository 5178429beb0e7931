/** Closes what a test has opened when the test ends, whether or not it passes. */
import { afterEach } from "vitest";

interface Closable {
  close(): Promise<unknown>;
}

/** Call at the top of a file. */
export function closedAfterEach<Options, Made extends Closable>(
  create: (options?: Options) => Made,
): (options?: Options) => Made {
  const open: Closable[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
  });
  return (options) => {
    const made = create(options);
    open.push(made);
    return made;
  };
}
