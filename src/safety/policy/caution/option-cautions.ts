/** Options with which otherwise harmless programs run commands or write files. Pure. */
import { canBeOption } from "../rules/match-rule.ts";
import type { ShellWord } from "../syntax/simple-command.ts";
import type { Caution, CautionName } from "./caution.ts";

interface OptionSpec {
  /** Letters of short options, alone or in a cluster. */
  readonly short?: string;
  /** Long options, which GNU programs also take abbreviated. */
  readonly long?: readonly string[];
  /** Whole words of another form. */
  readonly words?: RegExp;
  /** Operands beyond this number are files to write. */
  readonly operands?: number;
}

interface ProgramOptions {
  readonly runs?: OptionSpec;
  readonly writes?: OptionSpec;
}

const PROGRAMS: Readonly<Record<string, ProgramOptions>> = {
  ack: { runs: { long: ["pager"] } },
  ag: { runs: { long: ["pager"] } },
  bat: { runs: { long: ["pager"] } },
  batcat: { runs: { long: ["pager"] } },
  curl: {
    runs: { short: "K", long: ["config", "engine"] },
    writes: {
      short: "oOJDc",
      long: ["output", "remote-name", "remote-name-all", "dump-header", "cookie-jar", "trace", "trace-ascii", "stderr"],
    },
  },
  date: { writes: { long: ["set"], words: /^-[uR]*s/ } },
  fd: { runs: { short: "xX", long: ["exec", "exec-batch"] } },
  fdfind: { runs: { short: "xX", long: ["exec", "exec-batch"] } },
  file: { writes: { short: "C", long: ["compile"] } },
  find: { writes: { words: /^-(?:delete|fprint0?|fprintf|fls)$/ } },
  less: {
    runs: { short: "k", long: ["lesskey-file", "lesskey-src", "lesskey-content"], words: /^\+/ },
    writes: { short: "oO", long: ["log-file", "LOG-FILE"] },
  },
  man: { runs: { short: "PHC", long: ["pager", "html", "config-file"] } },
  more: { runs: { words: /^\+/ } },
  rg: { runs: { short: "z", long: ["pre", "hostname-bin", "search-zip"] } },
  rsync: { runs: { short: "e", long: ["rsh", "rsync-path"] } },
  scp: { runs: { short: "So" } },
  sftp: { runs: { short: "SobD" } },
  sort: { runs: { long: ["compress-program"] }, writes: { short: "o", long: ["output"] } },
  split: { runs: { long: ["filter"] } },
  tar: {
    runs: {
      short: "IF",
      long: [
        "to-command",
        "checkpoint-action",
        "use-compress-program",
        "rsh-command",
        "rmt-command",
        "info-script",
        "new-volume-script",
      ],
      // The first word may be a cluster without a dash.
      words: /^[A-Za-z]*[IF][A-Za-z]*$/,
    },
  },
  tree: { writes: { short: "o" } },
  uniq: { writes: { operands: 1 } },
  wget: { runs: { short: "e", long: ["execute", "config", "use-askpass"] } },
  xmllint: { runs: { long: ["shell"] }, writes: { short: "o", long: ["output"] } },
  yq: { writes: { short: "i", long: ["inplace", "in-place", "split-exp"] } },
  zip: { runs: { short: "T", long: ["unzip-command", "test"] } },
};

export function optionCautions(program: string, args: readonly ShellWord[]): readonly Caution[] {
  const spec = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (!spec?.runs && !spec?.writes) return [];
  const isEndless = program === "find" || spec.writes?.operands !== undefined;
  const end = isEndless ? -1 : args.findIndex(({ literal }) => literal === "--");
  const options = end < 0 ? args : args.slice(0, end);
  return options.flatMap((word, at) => {
    const found: CautionName[] = [];
    if (spec.runs && matches(spec.runs, word)) found.push("option");
    if (spec.writes && (matches(spec.writes, word) || isSurplus(spec.writes, args, at))) found.push("write");
    if (word.literal === undefined && canBeOption(word) && !isValue(args[at - 1], word)) found.push("computed-option");
    return found.map((name) => ({ name, part: word.text, ...(name === "option" ? { namedBy: at + 2 } : {}) }));
  });
}

/** Tests of `find` take the next word, whatever it is. */
const FIND_TESTS =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|type|newer|size|[acm]time|[acm]min|m(?:ax|in)depth|user|group|perm)$/;

function isValue(before: ShellWord | undefined, { canSplit }: ShellWord): boolean {
  return !canSplit && FIND_TESTS.test(before?.literal ?? "");
}

function isSurplus({ operands }: OptionSpec, args: readonly ShellWord[], at: number): boolean {
  const isOperand = ({ start }: ShellWord) => !start.startsWith("-");
  const word = args[at];
  if (operands === undefined || !word || !isOperand(word)) return false;
  return word.literal === undefined || args.slice(0, at).filter(isOperand).length >= operands;
}

function matches({ short = "", long = [], words }: OptionSpec, { start }: ShellWord): boolean {
  if (words?.test(start)) return true;
  if (start.startsWith("--")) {
    const [name = ""] = start.slice(2).split("=", 1);
    return name !== "" && long.some((each) => each.startsWith(name));
  }
  return /^-[^-]/.test(start) && [...start.slice(1)].some((char) => short.includes(char));
}
