/**
 * Quotas: how many sessions a caller or a project may run in the whole fleet. Operators write them. Hosts and doors can
 * only read them.
 */
import { LimpetError } from "../../base/limpet-error.ts";

export interface Quotas {
  /** The most sessions at once, by the name of the caller or project. `*` applies to every name that is not listed. */
  readonly callers: ReadonlyMap<string, number>;
  readonly projects: ReadonlyMap<string, number>;
}

/** The owner of a session. */
export interface QuotaOwner {
  readonly caller: string;
  /** Null for a session without a project. */
  readonly project: string | null;
}

/** One quota, and the caller or project that it applies to. */
export interface Share {
  readonly what: "caller" | "project";
  readonly name: string;
  /** The most sessions at once in the whole fleet. */
  readonly most: number;
}

/** A larger number counts as a typing mistake. */
const MAX_SESSIONS = 1_000_000;
const ALL = "*";

/**
 * Reads `{"callers": {"*": 20, "ci": 200}, "projects": {"*": 50}}`. Both keys are optional. Throws if any part is
 * wrong: a mistyped quota must not become unlimited. Pure.
 */
export function parseQuotas(document: string): Quotas {
  const parsed = parseObject(document, "The quotas are not a JSON object");
  for (const key of Object.keys(parsed))
    if (key !== "callers" && key !== "projects") throw problem(`has ${quote(key)}`);
  return { callers: readLimits(parsed, "callers"), projects: readLimits(parsed, "projects") };
}

/** The quotas that apply to a session of this owner. Pure. */
export function sharesOf(quotas: Quotas, owner: QuotaOwner): readonly Share[] {
  const name = callerName(owner.caller);
  const { project } = owner;
  return [
    ...shareOf(quotas.callers, "caller", name),
    ...(project === null ? [] : shareOf(quotas.projects, "project", project)),
  ];
}

/** Why one more session is refused. Pure. */
export function describeFull({ what, name, most }: Share, running: number): string {
  const sessions = most === 1 ? "session" : "sessions";
  return (
    `The ${what} ${quote(name)} runs ${running} of at most ${most} ${sessions} in the fleet. ` +
    "End one, or ask an operator for a larger quota."
  );
}

function shareOf(limits: ReadonlyMap<string, number>, what: Share["what"], name: string): readonly Share[] {
  const most = limits.get(name) ?? limits.get(ALL);
  return most === undefined ? [] : [{ what, name, most }];
}

/** A host calls the second client with the same name `NAME #2`. */
function callerName(caller: string): string {
  return caller.replace(/ #\d+$/, "");
}

function readLimits(document: Readonly<Record<string, unknown>>, key: "callers" | "projects"): Map<string, number> {
  const found = document[key] ?? {};
  if (!isObject(found)) throw problem(`has ${quote(key)} that is not an object`);
  return new Map(
    Object.entries(found).map(([name, most]) => {
      const isCount = typeof most === "number" && Number.isInteger(most) && most >= 0 && most <= MAX_SESSIONS;
      if (!isCount) throw problem(`has ${JSON.stringify(most)} for ${quote(name)} in ${quote(key)}`);
      return [name, most];
    }),
  );
}

function parseObject(text: string, otherwise: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // Not JSON: reported below.
  }
  throw new LimpetError("BAD_CONFIG", `${otherwise}. ${REMEDY}`);
}

const REMEDY = 'Write them like: {"callers": {"*": 20}, "projects": {"*": 50}}, with whole numbers.';

function problem(found: string): LimpetError {
  return new LimpetError("BAD_CONFIG", `The document of quotas ${found}. ${REMEDY}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
