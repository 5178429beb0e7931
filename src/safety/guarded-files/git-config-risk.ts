/**
 * Pure: the part of a git configuration that decides which programs git runs. Git itself writes into the file all the
 * time, for example which branch follows which. What is not known to be harmless counts as a risk.
 */

const HARMLESS: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)=/,
  // Relative: git writes it into the configuration of a submodule.
  /^core\.worktree=(?!\/)/,
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

/** Equal for two configurations that run the same programs. */
export function gitConfigRisk(text: string): string {
  const settings = settingsOf(text);
  if (!settings) return `unknown\n${text}`;
  return settings.filter((setting) => !HARMLESS.some((harmless) => harmless.test(setting))).join("\n");
}

/** The folders that hooks are taken from. */
export function hooksPathsIn(text: string): readonly string[] {
  const prefix = "core.hookspath=";
  const found = settingsOf(text)?.filter((setting) => setting.startsWith(prefix)) ?? [];
  return found.map((setting) => setting.slice(prefix.length));
}

/** As `section.name.key=value`, in order; undefined for what only git can read. */
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
    // Quotes, escapes and comments behind a value: only git knows what is left.
    if (key === undefined || /["\\#;]/.test(value)) return undefined;
    found.push(`${section}${key.toLowerCase()}=${value}`);
  }
  return found;
}
