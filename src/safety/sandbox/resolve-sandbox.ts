/** Finds the real paths that a sandbox is about, and refuses what it could not protect. */
import { realpathSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SandboxNetwork } from "../../base/sandbox-request.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { isBelow } from "./is-below.ts";
import { ownCache } from "./own-cache.ts";
import { protectedPaths } from "./protected-paths.ts";
import type { Sandbox } from "./sandbox.ts";

/** All paths are absolute and without symbolic links. Those that are writable exist. */
export interface ResolvedSandbox {
  readonly files: Sandbox["files"];
  readonly network: SandboxNetwork;
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
  /** Where tools keep what they download; one of `writable`. Undefined if there is none, or others were given. */
  readonly cache?: string | undefined;
}

export function resolveSandbox(sandbox: Sandbox, cwd: string): ResolvedSandbox {
  const { files, network = "on", project = cwd, caches, own = [] } = sandbox;
  const home = homedir();
  const homes = [...new Set([home, accountHome() ?? home])];
  const hidden = hiddenNow(protectedPaths({ homes, own }));
  const folder = existing([resolve(cwd, project)])[0];
  if (files === "read-only") return { files, network, hidden, writable: [] };
  if (folder === undefined) {
    const next = "Create it, or pass another project.";
    throw new LimpetError("DIRECTORY_NOT_FOUND", `The project ${quoteLine(project)} does not exist. ${next}`);
  }
  requireWorkspace(folder, hidden, existing(homes));
  const cache = caches ? undefined : ownCache(home, folder);
  const cached = caches ? existing(caches.map((path) => path.replace(/^~(?=\/|$)/, home))) : cache ? [cache] : [];
  return { files, network, hidden, cache, writable: [folder, ...cached.filter((path) => !isAround(path, hidden))] };
}

function requireWorkspace(folder: string, hidden: readonly string[], homes: readonly string[]): void {
  const exposed =
    [...hidden, ...homes].find((path) => isBelow(path, folder)) ?? hidden.find((path) => isBelow(folder, path));
  if (exposed === undefined) return;
  throw new LimpetError(
    "BAD_OPTION",
    `A sandbox cannot make ${quoteLine(folder)} writable, because it would expose ${quoteLine(exposed)}. Use a folder of one project.`,
  );
}

function isAround(folder: string, paths: readonly string[]): boolean {
  return paths.some((path) => isBelow(path, folder) || isBelow(folder, path));
}

/** The home directory of the account, whatever the variable says. Undefined for a user without an account. */
function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

/** What was hidden last. Finding it takes hundreds of looks at the disk, which would be most of a start. */
let last: { readonly key: string; readonly atMs: number; readonly hidden: readonly string[] } | undefined;
const KEPT_MS = 1_000;

/** Looks again if a directory beside one of the paths has changed, and after a second. */
function hiddenNow(paths: readonly string[]): readonly string[] {
  const parents = [...new Set(paths.map((path) => dirname(path)))];
  const stamps = parents.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  const key = JSON.stringify([tmpdir(), paths, stamps]);
  const now = performance.now();
  if (last?.key === key && now - last.atMs < KEPT_MS) return last.hidden;
  last = { key, atMs: now, hidden: hiddenOf(paths) };
  return last.hidden;
}

/**
 * Also what does not exist yet, except below the temporary directory: there, programs must see what is created after
 * they began.
 */
function hiddenOf(paths: readonly string[]): readonly string[] {
  const there = existing(paths);
  const [temporary = tmpdir()] = existing([tmpdir()]);
  const later = paths.map(whereItWouldBe).filter((path) => !isBelow(path, temporary));
  return [...new Set([...there, ...later])];
}

/** The real path; or of what does not exist, the first part that is missing: somebody may create it later. */
function whereItWouldBe(path: string): string {
  const [real] = existing([path]);
  if (real !== undefined) return real;
  const [parent] = existing([dirname(path)]);
  return parent === undefined ? whereItWouldBe(dirname(path)) : join(parent, basename(path));
}

function existing(paths: readonly string[]): string[] {
  const real = paths.flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return [];
    }
  });
  return [...new Set(real)];
}
