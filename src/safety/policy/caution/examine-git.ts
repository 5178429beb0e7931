/** What git runs besides itself. Pure. */
import { isHarmlessSetting } from "../../guarded-files/git-config-risk.ts";
import { canBeOption } from "../rules/match-rule.ts";
import { literalWord, type ShellWord } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";

export interface GitFindings {
  readonly cautions: readonly Caution[];
  /** The same command without options before the subcommand, if it has some. */
  readonly plain: readonly ShellWord[] | undefined;
}

const FLAGS = new Set(
  "--no-pager -P --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --version --help -h -v".split(
    " ",
  ),
);
/** Options with a value, in the same word or in the next one. */
const VALUES =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--exec-path|--attr-source|--list-cmds)(?:=|$)/;
/** They read the repository and run nothing of it by default. */
const READS = new Set(
  `annotate blame branch cat-file check-attr check-ignore check-ref-format cherry count-objects describe diff diff-files
   diff-index diff-tree for-each-ref fsck grep log ls-files ls-remote ls-tree merge-base name-rev range-diff reflog
   remote rev-list rev-parse shortlog show show-branch show-ref status symbolic-ref tag var verify-commit version
   whatchanged`.split(/\s+/),
);
/** They can run hooks, filters, editors, or programs that the configuration names. Any other word is an alias. */
const ACTS = new Set(
  `add am apply archive bisect bundle checkout checkout-index cherry-pick citool clean clone commit commit-graph
   commit-tree config credential difftool fast-export fast-import fetch filter-branch format-patch gc gui hash-object help
   init instaweb interpret-trailers maintenance merge merge-file merge-tree mergetool mktree mv notes pack-refs prune pull
   push read-tree rebase receive-pack repack replace request-pull rerere reset restore revert rm send-email
   send-pack sparse-checkout stash stripspace submodule switch update-index update-ref upload-pack worktree
   write-tree`.split(/\s+/),
);
/** Options that run commands; git takes them abbreviated. */
const RUNS = [
  "exec",
  "ext-diff",
  "textconv",
  "upload-pack",
  "receive-pack",
  "open-files-in-pager",
  "extcmd",
  "tool",
  "filters",
  "show-signature",
];
const RUNS_SHORT = /^-(?:O|x)/;

export function examineGit(args: readonly ShellWord[]): GitFindings {
  const cautions: Caution[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const { literal, text } = args[at] ?? literalWord("");
    if (literal === undefined || !literal.startsWith("-")) break;
    if (FLAGS.has(literal)) continue;
    cautions.push({ name: "option", part: text, namedBy: at + 2 });
    if (VALUES.test(literal) && !literal.includes("=")) at += 1;
  }
  const [subcommand, ...rest] = args.slice(at);
  if (!subcommand) return { cautions, plain: undefined };
  cautions.push(...subcommandCautions(subcommand, at + 2));
  cautions.push(...rest.flatMap((word, index) => optionCautions(word, at + index + 3)));
  cautions.push(...configCautions(subcommand.literal, rest));
  return { cautions, plain: at > 0 ? [literalWord("git"), subcommand, ...rest] : undefined };
}

function subcommandCautions({ literal, text }: ShellWord, namedBy: number): readonly Caution[] {
  if (literal === undefined) return [{ name: "computed-option", part: text }];
  if (READS.has(literal)) return [];
  return [{ name: ACTS.has(literal) ? "hooks" : "wrapper", part: `git ${literal}`, namedBy }];
}

/**
 * Settings can run programs with the next `git status`. Only `accept` lifts this, because a rule cannot name each
 * setting.
 */
function configCautions(subcommand: string | undefined, args: readonly ShellWord[]): readonly Caution[] {
  const part = `git ${subcommand} ${args.map(({ text }) => text).join(" ")}`;
  if (subcommand === "clone" || subcommand === "init") {
    return args.some(({ start }) => /^(?:-c|--conf|--templ)/.test(start)) ? [{ name: "option", part }] : [];
  }
  if (subcommand !== "config" || args.some(({ literal = "" }) => READS_CONFIG.test(literal))) return [];
  const keys = args.filter(({ literal }) => SETTING.test(literal ?? ""));
  const isKnown = args.every(({ literal }) => literal !== undefined) && keys.length > 0;
  const [key, value] = [keys[0]?.literal ?? "", args[args.indexOf(keys[0] ?? literalWord("")) + 1]?.literal ?? ""];
  return isKnown && isHarmlessSetting(key, value) ? [] : [{ name: "option", part }];
}

const READS_CONFIG = /^(?:-l|--list|--get(?:-.*)?|get|list|--show-origin|--show-scope)$/;
const SETTING = /^[A-Za-z][\w-]*\..*[A-Za-z]/;

function optionCautions(word: ShellWord, namedBy: number): readonly Caution[] {
  const { literal, start, text } = word;
  if (literal === undefined && canBeOption(word)) return [{ name: "computed-option", part: text }];
  const [name = ""] = start.startsWith("--") ? start.slice(2).split("=", 1) : [];
  const isRunning = name !== "" && RUNS.some((each) => each.startsWith(name));
  if (isRunning || RUNS_SHORT.test(start) || /^(?:ext|fd)::/.test(start))
    return [{ name: "option", part: text, namedBy }];
  return name !== "" && "output".startsWith(name) ? [{ name: "write", part: text }] : [];
}
