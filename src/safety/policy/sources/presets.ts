/** Policies to start with. Data. */
import type { Decision } from "../verdict.ts";
import type { RuleText } from "./rule-text.ts";

export interface Preset {
  readonly description: string;
  readonly default: Decision;
  readonly input: Decision;
  readonly rules: readonly RuleText[];
}

const READS: readonly RuleText[] = [
  {
    prefix: [["ls", "tree", "stat", "file", "du", "df", "pwd", "cd", "realpath", "readlink", "basename", "dirname"]],
    decision: "allow",
    match: ["ls -la src"],
  },
  {
    prefix: [
      ["cat", "head", "tail", "wc", "grep", "egrep", "fgrep", "rg", "find", "fd", "fdfind", "diff", "cmp", "comm"],
    ],
    decision: "allow",
    match: ["grep -rn TODO src"],
    notMatch: ["tee notes"],
  },
  {
    prefix: [
      ["sort", "uniq", "cut", "tr", "nl", "tac", "rev", "fold", "paste", "join", "column", "seq", "jq", "awk", "sed"],
    ],
    decision: "allow",
    why: "Options and scripts that write or run something are asked about.",
  },
  { prefix: [["md5sum", "sha1sum", "sha256sum", "cksum", "od", "hexdump", "strings"]], decision: "allow" },
  {
    prefix: [
      [
        "echo",
        "printf",
        "true",
        "false",
        ":",
        "test",
        "[",
        "sleep",
        "date",
        "set",
        "read",
        "wait",
        "exit",
        "break",
        "continue",
      ],
    ],
    decision: "allow",
  },
  { prefix: [["whoami", "id", "uname", "uptime", "free", "ps", "pgrep", "which", "type"]], decision: "allow" },
  { prefix: ["command", ["-v", "-V"]], decision: "allow", match: ["command -v node"], notMatch: ["command rm x"] },
  {
    prefix: [
      "git",
      [
        "status",
        "diff",
        "log",
        "show",
        "blame",
        "grep",
        "ls-files",
        "ls-tree",
        "rev-parse",
        "rev-list",
        "describe",
        "shortlog",
        "merge-base",
        "cat-file",
      ],
    ],
    decision: "allow",
    match: ["git status", "git diff HEAD~1 -- src"],
    notMatch: ["git push", "git -c core.pager=x log"],
  },
];

const NEVER: readonly RuleText[] = [
  { prefix: [["sudo", "doas", "su", "pkexec"]], decision: "deny", why: "Agents do not act as root." },
  { prefix: [["mkfs", "fdisk", "parted", "wipefs", "shutdown", "reboot", "halt", "poweroff"]], decision: "deny" },
  { prefix: ["git", "push", ["--force", "-f", "--mirror", "--delete"]], decision: "deny", match: ["git push --force"] },
  { prefix: [["limpet"]], decision: "deny", why: "It could approve its own commands." },
];

export const PRESETS: Readonly<Record<string, Preset>> = {
  "read-only": {
    description: "Commands that only read run; everything else is denied.",
    default: "deny",
    input: "deny",
    rules: READS,
  },
  careful: {
    description: "Commands that only read run, dangerous ones are denied, and you are asked about the rest.",
    default: "ask",
    input: "ask",
    rules: [...READS, ...NEVER],
  },
};

/** The file of a preset: JSON with a comment on top, and one rule per line. */
export function presetText({ description, default: other, input, rules }: Preset): string {
  const lines = rules.map((rule) => `    ${JSON.stringify(rule)}`).join(",\n");
  return `// ${description}\n{\n  "default": "${other}",\n  "input": "${input}",\n  "rules": [\n${lines}\n  ]\n}\n`;
}
