/** Finds the real paths that a sandbox is about, and refuses what it could not protect. */
import { realpathSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { lazy } from "../../base/async/lazy.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { keeperOf, type SandboxKeeper, type SandboxNetwork } from "../../base/sandbox-request.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { type LockablePaths, lockablePaths } from "../guarded-files/lockable-paths.ts";
import { isBelow } from "./is-below.ts";
import { ownCache } from "./own-cache.ts";
import { protectedPaths } from "./protected-paths.ts";
import { requireSandbox } from "./read-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/** All paths are absolute and without symbolic links. Those that are writable exist. */
export interface ResolvedSandbox extends LockablePaths {
  readonly files: Sandbox["files"];
  readonly network: SandboxNetwork;
  readonly keeper: SandboxKeeper;
  readonly hidden: readonly string[];
  /** By directory beside what is hidden: when it was changed last, as of now; undefined if it does not exist. */
  readonly changed: ReadonlyMap<string, number | undefined>;
  readonly writable: readonly string[];
  /** Where tools keep what they download; one of `writable`. Undefined if there is none, or others were given. */
  readonly cache?: string | undefined;
}

const NOTHING: LockablePaths = { locked: [], pinned: [] };

/** Throws BAD_OPTION if it is not a sandbox: callers without a compiler may misspell a part of it. */
export function resolveSandbox(sandbox: Sandbox, cwd: string): ResolvedSandbox {
  const { project = cwd, caches, own = [], ...request } = sandbox;
  requireSandbox(request);
  const { files, network = "on", allowChanges = [] } = request;
  const keeper = keeperOf(sandbox);
  const home = homedir();
  const homes = [...new Set([home, accountHome() ?? home])];
  const { hidden, changed } = hiddenNow(homes, own);
  const folder = existing([resolve(cwd, project)])[0];
  const common = { files, network, keeper, hidden, changed };
  if (files === "read-only") return { ...common, ...NOTHING, writable: [] };
  if (folder === undefined) {
    const next = "Create it, or pass another project.";
    throw new LimpetError("DIRECTORY_NOT_FOUND", `The project ${quoteLine(project)} does not exist. ${next}`);
  }
  requireWorkspace(folder, hidden, existing(homes));
  const cache = caches ? undefined : ownCache(home, folder);
  const cached = caches ? existing(caches.map((path) => path.replace(/^~(?=\/|$)/, home))) : cache ? [cache] : [];
  const writable = [folder, ...cached.filter((path) => !isAround(path, hidden))];
  return { ...common, cache, writable, ...(keeper === "bwrap" ? lockablePaths(folder, allowChanges) : NOTHING) };
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

/**
 * The home directory of the account, whatever the variable says. Undefined for a user without an account. Asked for
 * once: the answer may come from a server.
 */
const accountHome = lazy((): string | undefined => {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
});

type Hidden = Pick<ResolvedSandbox, "hidden" | "changed">;

/** What was hidden last. Finding it takes hundreds of file system calls, which would be most of the time of a start. */
let last: (Hidden & { readonly key: string; readonly paths: readonly string[]; readonly atMs: number }) | undefined;
const KEPT_MS = 1_000;

/** Searches again if a directory beside one of the paths has changed, and after a second. */
function hiddenNow(homes: readonly string[], own: readonly string[]): Hidden {
  const key = JSON.stringify([tmpdir(), homes, own]);
  const known = last?.key === key ? last : undefined;
  const paths = known?.paths ?? protectedPaths({ homes, own });
  const beside = known?.changed.keys() ?? new Set(paths.map((path) => dirname(path)));
  const changed = new Map([...beside].map((path) => [path, changedAt(path)]));
  const atMs = performance.now();
  if (known && atMs - known.atMs < KEPT_MS && isEqual(known.changed, changed)) return known;
  last = { key, paths, atMs, changed, hidden: hiddenOf(paths) };
  return last;
}

function isEqual(one: Hidden["changed"], other: Hidden["changed"]): boolean {
  return [...one].every(([path, atMs]) => other.get(path) === atMs);
}

/** When a directory was changed last; undefined if it does not exist. */
export function changedAt(directory: string): number | undefined {
  return statSync(directory, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Also what does not exist yet, except below the temporary directory: there, programs must see what is created after
 * they started.
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
      return [realpathSync.native(path)];
    } catch {
      return [];
    }
  });
  return [...new Set(real)];
}
