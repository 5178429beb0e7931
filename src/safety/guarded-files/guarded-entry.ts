/** Pure: what a guarded path was, and whether it is still the same. */
import { gitConfigRisk } from "./git-config-risk.ts";
import type { GuardedPath } from "./guarded-paths.ts";

/** What a path is. `stamp` changes with every change of a file, and programs cannot set it. */
export type GuardedEntry =
  | { readonly kind: "folder" }
  | { readonly kind: "link"; readonly target: string }
  /** Without its bytes if it is too large to keep. */
  | { readonly kind: "file"; readonly mode: number; readonly stamp: string; readonly bytes: Buffer | undefined }
  /** A pipe, a socket or a device; a folder that cannot be read, or has too many files. */
  | { readonly kind: "other" };

export type Snapshot = ReadonlyMap<string, GuardedEntry>;

/** One path that is not as it was. */
export interface GuardedChange {
  readonly path: string;
  readonly was: GuardedEntry | undefined;
}

/** `content`: what of a file matters. */
function isSame(
  one: GuardedEntry | undefined,
  other: GuardedEntry | undefined,
  { path, content }: Pick<GuardedPath, "path" | "content">,
): boolean {
  // A folder runs nothing by itself; what is in it is compared separately.
  if (isNothing(one) && isNothing(other)) return true;
  if (content !== "all" && isPlain(one) && isPlain(other)) {
    const meaningOf = content === "git-config" ? configOf(path) : scriptsOf;
    return meaningOf(textOf(one)) === meaningOf(textOf(other));
  }
  if (one?.kind === "other") return other?.kind === "other";
  if (one?.kind === "link") return other?.kind === "link" && one.target === other.target;
  if (one?.kind !== "file" || other?.kind !== "file") return false;
  if (one.mode !== other.mode) return false;
  if (one.bytes && other.bytes) return one.bytes.equals(other.bytes);
  return one.stamp === other.stamp;
}

/** The paths that differ, folders before what is in them. */
export function changesBetween(
  before: Snapshot,
  after: Snapshot,
  contentOf: (path: string) => GuardedPath["content"],
): readonly GuardedChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .filter((path) => !isSame(before.get(path), after.get(path), { path, content: contentOf(path) }))
    .map((path) => ({ path, was: before.get(path) }));
}

function isNothing(entry: GuardedEntry | undefined): boolean {
  return entry === undefined || entry.kind === "folder";
}

/** Missing, or a file whose content is known. */
function isPlain(entry: GuardedEntry | undefined): boolean {
  return entry === undefined || (entry.kind === "file" && entry.bytes !== undefined);
}

function textOf(entry: GuardedEntry | undefined): string {
  return entry?.kind === "file" ? (entry.bytes?.toString("utf8") ?? "") : "";
}

function configOf(path: string): (text: string) => string {
  return (text) => gitConfigRisk(text, path);
}

function scriptsOf(text: string): string {
  try {
    return JSON.stringify((JSON.parse(text) as { scripts?: unknown } | null)?.scripts ?? {});
  } catch {
    return text === "" ? "{}" : text;
  }
}
