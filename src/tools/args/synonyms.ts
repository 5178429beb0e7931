/** Other names that models use for a parameter. Pure. */

export type Args = Readonly<Record<string, unknown>>;

/** The parameters that each name may stand for. In a tool, it stands for the first of them that the tool has. */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  command: ["cmd"],
  cmd: ["command"],
  cwd: ["workdir"],
  timeout: ["timeout_ms", "deadline_ms"],
  timeout_ms: ["deadline_ms"],
  text: ["chars"],
  input: ["chars", "stdin"],
  lines: ["tail"],
  id: ["session_id", "session_ids"],
  session: ["session_id", "session_ids"],
  session_id: ["session_ids"],
};

/** Names that do not show their unit: below this value, seconds are as likely as milliseconds. */
const UNITLESS: ReadonlySet<string> = new Set(["timeout"]);
const LEAST_CLEAR_MS = 1_000;

export interface Renamed {
  readonly args: Args;
  /** One sentence or two about each synonym that cannot be accepted. */
  readonly mistakes: readonly string[];
}

export interface SynonymTable {
  readonly params: readonly string[];
  /** Synonyms of this tool alone. */
  readonly own?: Readonly<Record<string, string>> | undefined;
}

/** The parameter that `name` stands for; undefined if it stands for none. */
export function meaningOf(name: string, { params, own = {} }: SynonymTable): string | undefined {
  if (params.includes(name)) return name;
  if (Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(MEANINGS, name) ? MEANINGS[name]?.find((param) => params.includes(param)) : undefined;
}

/** Every name that the tool accepts. */
export function acceptedNames(table: SynonymTable): readonly string[] {
  const names = new Set([...table.params, ...Object.keys(table.own ?? {}), ...Object.keys(MEANINGS)]);
  return [...names].filter((name) => meaningOf(name, table) !== undefined);
}

/** Gives each synonym the name of its parameter. Unknown names stay. */
export function renameSynonyms(given: Args, table: SynonymTable): Renamed {
  const args = new Map(
    Object.entries(given).filter(([name]) => table.params.includes(name) || !meaningOf(name, table)),
  );
  const mistakes: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const param = meaningOf(name, table);
    if (param === undefined || param === name || value === null || value === undefined) continue;
    if (isUnclear(name, value)) mistakes.push(`${name} is ${Number(value)}. Pass ${param}, in milliseconds.`);
    const other = args.get(param);
    if (other === null || other === undefined) args.set(param, value);
    else if (JSON.stringify(other) !== JSON.stringify(value)) {
      mistakes.push(`${param} and ${name} have different values. Pass only ${param}.`);
    }
  }
  return { args: Object.fromEntries(args), mistakes };
}

function isUnclear(name: string, value: unknown): boolean {
  return UNITLESS.has(name) && Number(value) < LEAST_CLEAR_MS;
}
