/** Finds the real paths that a sandbox is about, and refuses what it could not protect. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { protectedPaths } from "./protected-paths.ts";
import type { Sandbox } from "./sandbox.ts";

/** All paths are absolute, without symbolic links, and exist. */
export interface ResolvedSandbox {
  readonly files: Sandbox["files"];
  readonly network: "on" | "off";
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
}

/** Where tools keep what they have downloaded. Without these, most of them fail. */
const DEFAULT_CACHES = ["~/.cache", "~/.npm/_cacache", "~/.npm/_logs"];

export function resolveSandbox(sandbox: Sandbox, cwd: string): ResolvedSandbox {
  const { files, network = "on", project = cwd, caches = DEFAULT_CACHES, own = [] } = sandbox;
  const home = homedir();
  const hidden = existing(protectedPaths({ home, own }));
  const folder = existing([resolve(cwd, project)])[0];
  if (files === "read-only") return { files, network, hidden, writable: [] };
  if (folder === undefined) {
    const next = "Create it, or pass another project.";
    throw new LimpetError("DIRECTORY_NOT_FOUND", `The project ${quoteLine(project)} does not exist. ${next}`);
  }
  requireWorkspace(folder, hidden, existing([home]));
  const cached = existing(caches.map((path) => path.replace(/^~(?=\/|$)/, home)));
  return { files, network, hidden, writable: [folder, ...cached.filter((path) => !isAround(path, hidden))] };
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

/** Also true if both are the same. */
function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : join(folder, sep));
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
