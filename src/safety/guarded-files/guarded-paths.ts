/** Pure: the files of a project that run code later, outside of the sandbox, or tell programs there what to run. */

/** One file, or everything below a folder. */
export interface GuardedPath {
  /** Relative to the project. */
  readonly path: string;
  /** A change is undone, or only reported because it is often wanted. */
  readonly on: "restore" | "report";
  /** Who uses it, for the report. */
  readonly usedBy: string;
  /** What of a file matters: all of it, the settings of git that run code, or the scripts of a package. */
  readonly content: "all" | "git-config" | "package-scripts";
}

const restored = (usedBy: string, paths: readonly string[], content: GuardedPath["content"] = "all") =>
  paths.map((path): GuardedPath => ({ path, on: "restore", usedBy, content }));
const reported = (usedBy: string, paths: readonly string[], content: GuardedPath["content"] = "all") =>
  paths.map((path): GuardedPath => ({ path, on: "report", usedBy, content }));

const ALWAYS: readonly GuardedPath[] = [
  ...restored("direnv", [".envrc"]),
  ...restored("git", [".husky"]),
  ...restored("the editor", [
    ".vscode",
    ".idea/runConfigurations",
    ".run",
    ".zed",
    ".fleet",
    ".devcontainer",
    ".devcontainer.json",
  ]),
  ...restored("limpet", [".limpet.json", ".limpet.policy.json"]),
  ...restored("agents", [
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".opencode",
    "opencode.json",
    "opencode.jsonc",
    ".mcp.json",
  ]),
  ...reported("agents", ["AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", ".cursorrules"]),
  ...reported("git", [".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", "lefthook.yaml"]),
  ...reported("npm", ["package.json"], "package-scripts"),
];

/** Git itself reads these in a repository. */
function gitPaths(gitDirectory: string): readonly GuardedPath[] {
  const below = (names: readonly string[]) => names.map((name) => `${gitDirectory}/${name}`);
  return [
    ...restored("git", below(["config", "config.worktree"]), "git-config"),
    ...restored("git", below(["commondir", "hooks"])),
  ];
}

export interface GuardedOptions {
  /** The directories of git in the project: `.git`, and those of its submodules and worktrees below it. */
  readonly gitDirectories: readonly string[];
  /** Folders in the project that git takes hooks from. */
  readonly hookFolders: readonly string[];
  /** Paths that the person allows to change; a folder stands for all that is in it. */
  readonly allowed: readonly string[];
}

export function guardedPaths({ gitDirectories, hookFolders, allowed }: GuardedOptions): readonly GuardedPath[] {
  const all = [...gitDirectories.flatMap(gitPaths), ...restored("git", hookFolders), ...ALWAYS];
  return all.filter(({ path }) => !isAllowed(path, allowed));
}

export function isAllowed(path: string, allowed: readonly string[]): boolean {
  return allowed.map((each) => each.replace(/^\.\//, "").replace(/\/+$/, "")).some((each) => isIn(path, each));
}

/** The guarded path that a changed one belongs to, or leads to. */
export function guardOf(path: string, guarded: readonly GuardedPath[]): GuardedPath | undefined {
  return guarded.find((each) => isIn(path, each.path)) ?? guarded.find((each) => isIn(each.path, path));
}

/** All folders that lead to guarded paths: one that becomes a link would lead elsewhere. */
export function parentsOf(guarded: readonly GuardedPath[]): readonly string[] {
  const parents = guarded.flatMap(({ path }) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  });
  return [...new Set(parents)].sort();
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
