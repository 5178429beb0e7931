/** Files of this package, found from the bundles in dist and from the sources. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The directory of this package. Undefined if another bundler has moved this code and does not tell where it is. */
export function packageRoot(): string | undefined {
  const here = import.meta.url as string | undefined;
  // The path is the same from src/base and dist/bin. Not with `new URL`, which a bundler takes for a file to bundle.
  return here === undefined ? undefined : resolve(dirname(fileURLToPath(here)), "../..");
}

/** The path of a file that the build puts into dist, such as `bin/main.js`. Undefined if it is not there. */
export function builtFile(name: string): string | undefined {
  const root = packageRoot();
  const path = root === undefined ? "" : join(root, "dist", name);
  return existsSync(path) ? path : undefined;
}
