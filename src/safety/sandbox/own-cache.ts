/**
 * A cache of the sandboxes of one project, instead of the user's. What is in the user's caches runs code outside of the
 * sandbox: start files of shells, programs of npx and pre-commit, packages that are installed without a network.
 */
import { createHash } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

/** Stays when the sandbox ends. Undefined if it cannot be made: then there is no cache. */
export function ownCache(home: string, project: string): string | undefined {
  const hash = createHash("sha256").update(project).digest("hex").slice(0, 12);
  const path = join(home, ".cache", "limpet-sandbox", `${basename(project)}-${hash}`);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The variables that make programs use it. */
export function cacheEnv(cache: string): Readonly<Record<string, string>> {
  return { XDG_CACHE_HOME: cache, npm_config_cache: join(cache, "npm") };
}
