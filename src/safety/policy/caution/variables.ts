/** Which variables change how programs run. Pure. */
import type { Caution } from "./caution.ts";

/** Programs take these as data. All other variables in the environment of a program need a decision. */
const HARMLESS: readonly string[] = `
  CI CLICOLOR* COLORTERM COLUMNS DEBUG FORCE_COLOR HOST LANG LANGUAGE LC_* LINES NODE_ENV NO_COLOR PORT
  RAILS_ENV RUST_BACKTRACE RUST_LOG TERM TZ VERBOSE
`
  .trim()
  .split(/\s+/);

/** Of the shell itself: bash, then zsh. */
const SHELL_VARIABLES: readonly string[] = `
  BASH* ENV IFS POSIXLY_CORRECT PATH PROMPT* PS0 PS1 PS2 PS3 PS4 RPROMPT* CDPATH EXECIGNORE FIGNORE FUNCNEST
  GLOBIGNORE HIST* HOME INPUTRC OLDPWD PWD SHELL SHELLOPTS TERMCAP TERMINFO* TMOUT TMPDIR ZDOTDIR aliases
  cdpath chpwd* commands fignore fpath functions galiases mailpath manpath module_path options path precmd*
  preexec* psvar saliases
`
  .trim()
  .split(/\s+/);

/** A program, its options, or where it finds its files. */
const PROGRAM_VARIABLES: readonly string[] = `
  AR AWS_* BROWSER BUNDLE_* BUN_* CARGO* CC CLASSPATH CURL_* CVS_* CXX DENO_* DOCKER_* DYLD_* EDITOR EXINIT
  FZF_* GCONV_PATH GEM_* GIT_* GLIBC_* GO* GRADLE_* GREP_* GZIP HG* HOSTALIASES JAVA_* JDK_* KUBE* LD LD_*
  LESS* LIMPET* LOCALDOMAIN LOCPATH LUA_* MAKE* MALLOC_* MAVEN_* MORE NLSPATH NODE_* NPM_* OPENSSL_* PAGER
  PERL* PHP* PSQLRC PYTHON* RES_OPTIONS RSYNC_* RUBY* RUST* SSH_* SSL_* SUDO_* SVN_* TAR_* UNZIP* VIM* VISUAL
  WGETRC XDG_* XZ_* YARN_* ZIPOPT _JAVA_* npm_*
`
  .trim()
  .split(/\s+/);

/** Names of the same kind. */
const TELLING_ENDS: readonly string[] = `
  *ARGS *CONF *CONFIG *FLAGS *OPT *OPTIONS *OPTS *PATH *RC *_BROWSER *_CMD *_COMMAND *_DIR *_EDITOR *_EXEC
  *_FILE *_HOME *_HOOK *_PAGER *_PRELOAD *_PROXY *_ROOT *_RSH *_SHELL *_SSH *_WRAPPER *_proxy
`
  .trim()
  .split(/\s+/);

/** Integers of the shells: bash and zsh evaluate what is assigned to them as arithmetic. */
const INTEGERS: ReadonlySet<string> = new Set(
  `BAUD COLUMNS DIRSTACKSIZE EGID EPOCHREALTIME EPOCHSECONDS ERRNO EUID FUNCNEST GID HISTCMD HISTSIZE KEYTIMEOUT LINENO LINES
   LISTMAX LOGCHECK MAILCHECK OPTERR OPTIND PPID RANDOM SAVEHIST SECONDS SHLVL SRANDOM TMOUT TRY_BLOCK_ERROR TTYIDLE
   UID`.split(/\s+/),
);

/** The value is undefined if it is computed. */
export function integerCaution(name: string, value: string | undefined, part: string): readonly Caution[] {
  return INTEGERS.has(name) && !/^\d+$/.test(value ?? "") ? [{ name: "arithmetic", part }] : [];
}

const isHarmless = matcherOf(HARMLESS);
const isRisky = matcherOf([...SHELL_VARIABLES, ...PROGRAM_VARIABLES, ...TELLING_ENDS]);

/** A variable that programs get in their environment. */
export function environmentCaution(name: string, part: string): readonly Caution[] {
  return isHarmless(name) ? [] : [{ name: "variable", part, variable: name }];
}

/** A variable of the shell, which programs get only if it is exported already, as these may be. */
export function shellVariableCaution(name: string, part: string): readonly Caution[] {
  return isRisky(name) ? [{ name: "variable", part, variable: name }] : [];
}

/** Whether a list of names in a policy has this one; `*` stands for any characters. */
export function isListed(names: readonly string[], name: string): boolean {
  return names.length > 0 && matcherOf(names)(name);
}

function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const sources = patterns.map((pattern) => pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*"));
  const regex = new RegExp(`^(?:${sources.join("|")})$`, "s");
  return (name) => regex.test(name);
}
