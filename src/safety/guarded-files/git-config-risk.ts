/**
 * Pure: the part of a git configuration that decides which programs git runs. Git itself writes into the file all the
 * time, for example which branch tracks which. What is not known to be harmless counts as a risk.
 */
import { normalize } from "node:path/posix";

const HARMLESS: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)=/,
  /^branch\..*\.(?:remote|merge|rebase|description|pushremote|vscode-merge-base|github-pr-owner-number)=/,
  /^remote\..*\.(?:fetch|tagopt|prune|mirror|skipdefaultupdate)=/,
  // An address with "::" names a program that fetches from it.
  /^(?:remote|submodule)\..*\.(?:url|pushurl)=(?!-)(?!.*::)/,
  /^submodule\..*\.(?:active|branch)=/,
  /^submodule\.active=/,
  /^user\.(?:name|email)=/,
  /^(?:init\.defaultbranch|push\.default|pull\.(?:rebase|ff)|extensions\.objectformat|index\.version|gc\.auto)=/,
  /^lfs\.(?:repositoryformatversion|.*\.access)=/,
];

/** Equal for two configurations that run the same programs. `path`: of the file, in the project. */
export function gitConfigRisk(text: string, path: string): string {
  const settings = settingsOf(text);
  if (!settings) return `unknown\n${text}`;
  const isHarmless = (setting: string) =>
    HARMLESS.some((harmless) => harmless.test(setting)) || isOwnWorktree(setting, path);
  return settings.filter((setting) => !isHarmless(setting)).join("\n");
}

const WORKTREE = "core.worktree=";
/** Git itself writes where the files of a submodule are, relative to its repository. */
const SUBMODULE = /^\.git\/modules\/.*(?=\/config$)/;

/** With any other folder, the next checkout of a person writes files of the repository there: hooks, or start files. */
function isOwnWorktree(setting: string, path: string): boolean {
  const [repository] = SUBMODULE.exec(path) ?? [];
  if (repository === undefined || !setting.startsWith(WORKTREE)) return false;
  const value = setting.slice(WORKTREE.length);
  const folder = normalize(`${repository}/${value}`);
  return !value.startsWith("/") && !folder.split("/").some((name) => name.startsWith("."));
}

/** Whether git runs nothing because of this setting, such as `user.name`. */
export function isHarmlessSetting(key: string, value: string): boolean {
  const [, section = "", name = "", variable = ""] = /^([^.]*)(\..*)?\.([^.]*)$/s.exec(key) ?? [];
  const setting = `${section.toLowerCase()}${name}.${variable.toLowerCase()}=${value}`;
  return HARMLESS.some((harmless) => harmless.test(setting));
}

/** The folders that hooks are taken from. */
export function hooksPathsIn(text: string): readonly string[] {
  const prefix = "core.hookspath=";
  const found = settingsOf(text)?.filter((setting) => setting.startsWith(prefix)) ?? [];
  return found.map((setting) => setting.slice(prefix.length));
}

/** As `section.name.key=value`, in order; undefined if only git can parse the text. */
function settingsOf(text: string): readonly string[] | undefined {
  const found: string[] = [];
  let section = "";
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const [, name, quoted] = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\["\\])*)")?\]$/.exec(line) ?? [];
    if (name !== undefined) {
      section = `${name.toLowerCase()}.${quoted === undefined ? "" : `${quoted}.`}`;
      continue;
    }
    const [, key, value = ""] = /^([A-Za-z][\w-]*)(?:\s*=\s*(.*))?$/.exec(line) ?? [];
    // Only git knows what a value with quotes, escapes or a comment means.
    if (key === undefined || /["\\#;]/.test(value)) return undefined;
    found.push(`${section}${key.toLowerCase()}=${value}`);
  }
  return found;
}
