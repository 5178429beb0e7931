/** Files that run code later: git hooks, git's configuration, start files of shells, settings of editors. Pure. */
import { posix } from "node:path";
import { guardedPaths } from "../../guarded-files/guarded-paths.ts";
import type { ShellRedirection, ShellWord } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";
import { isWriting } from "./redirection-cautions.ts";

/** Of the user, in the home directory. */
const OF_THE_USER = `
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .kshrc
  .config/fish .gitconfig .config/git .ssh .config/autostart .config/systemd .config/limpet .vimrc .config/nvim
  .emacs .tmux.conf .inputrc .npmrc .pythonrc .local/bin
`
  .trim()
  .split(/\s+/);
const IN_PROJECTS: readonly string[] = guardedPaths({ gitDirectories: [".git"], hookFolders: [], allowed: [] })
  .filter(({ on }) => on === "restore")
  .map(({ path }) => path);
/** Between two slashes each, so that a path is found wherever it begins. */
const PATHS: readonly string[] = [...OF_THE_USER, ...IN_PROJECTS].map((path) => `/${path}/`);
/** Programs that write to their arguments, or replace or remove them. */
const WRITERS: ReadonlySet<string> = new Set(
  "chmod chown cp dd install ln mkdir mv rm rmdir rsync sponge tee touch truncate unlink".split(" "),
);

/** The files that a command is given to write to. A computed word counts by its text: `~/.bashrc`, `$HOME/.bashrc`. */
export function laterFileCautions(
  program: string,
  args: readonly ShellWord[],
  redirections: readonly ShellRedirection[],
): readonly Caution[] {
  const written = redirections.filter(isWriting).map(({ target }) => target);
  const named = WRITERS.has(program) ? args : [];
  return [...written, ...named]
    .filter(({ literal, text }) => runsLater(literal ?? text))
    .map(({ text }) => ({ name: "later", part: text }));
}

function runsLater(word: string): boolean {
  // Of `of=FILE` and `--target-directory=FOLDER`, only the value.
  const plain = word.replaceAll(/["']/g, "").replace(/^-{0,2}[\w-]+=/, "");
  const path = posix.normalize(`/${plain.replace(/^~/, "")}/`);
  return PATHS.some((each) => path.includes(each)) || path.endsWith("/.git/");
}
