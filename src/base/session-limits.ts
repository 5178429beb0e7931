/** How much the programs of a session may use. Pure. */
import { LimpetError } from "./limpet-error.ts";

/** `memory` and `fileSize` in bytes, `cpuTime` and `wallTime` in milliseconds, the others are counts. */
export const LIMIT_NAMES = ["memory", "processes", "openFiles", "cpuTime", "wallTime", "fileSize"] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What is missing is not limited. */
export type SessionLimits = Readonly<Partial<Record<LimitName, number>>>;

/** Limits as a person writes them: `{ memory: "2G", wallTime: "10m" }`. Numbers are bytes and milliseconds. */
export type GivenLimits = Readonly<Partial<Record<LimitName, number | string>>>;

/**
 * Who enforces a limit. `cgroup`: the kernel, for the whole session. `process`: the kernel, for each process. `watch`:
 * limpet looks from time to time and ends the session.
 */
type LimitEnforcer = "cgroup" | "process" | "watch";

/** The limits of a session, and who enforces each. */
export type EnforcedLimits = Readonly<
  Partial<Record<LimitName, { readonly value: number; readonly by: LimitEnforcer }>>
>;

/** Who enforces the limits of a session, and which of them were reached. */
export interface LimitState {
  readonly enforced: EnforcedLimits;
  /** Limits that its programs ran into without being ended, as far as the kernel counts that. */
  readonly hits: readonly LimitName[];
  /** The limit that ended it; null if none did. */
  readonly endedBy: LimitName | null;
}

type Unit = "bytes" | "count" | "ms";

interface Bounds {
  readonly unit: Unit;
  readonly min: number;
  readonly what: string;
}

const KIND: Readonly<Record<LimitName, Bounds>> = {
  // A shell needs a few megabytes, and below that nothing can start.
  memory: { unit: "bytes", min: 16 * 1024 * 1024, what: "memory" },
  processes: { unit: "count", min: 1, what: "processes" },
  // Three for the terminal, and some for the libraries of a program.
  openFiles: { unit: "count", min: 16, what: "open files" },
  // The kernel counts whole seconds.
  cpuTime: { unit: "ms", min: 1_000, what: "CPU time" },
  wallTime: { unit: "ms", min: 100, what: "wall time" },
  fileSize: { unit: "bytes", min: 1024, what: "file size" },
};

const BYTES: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };
const TIMES: Readonly<Record<string, number>> = { ms: 1, "": 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a text such as `2G`, `200` or `10m`, or a number of bytes or milliseconds. Throws `BAD_OPTION`. */
export function parseLimit(name: string, given: unknown): number {
  if (!isLimitName(name)) {
    throw new LimpetError(
      "BAD_OPTION",
      `Unknown limit ${JSON.stringify(name)}. Use one of: ${LIMIT_NAMES.join(", ")}.`,
    );
  }
  const { unit, min } = KIND[name];
  const value = readValue(given, unit);
  if (value !== undefined && value >= min) return value;
  const example = { bytes: "512M or 2G", count: "200", ms: "30s, 10m or 2h" }[unit];
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(given)} is not a limit for ${name}. Use a value such as ${example}, at least ${describeValue(unit, min)}.`,
  );
}

/** Reads limits from an object of values. Throws `BAD_OPTION`. */
export function parseLimits(given: Readonly<Record<string, unknown>>): SessionLimits {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, parseLimit(name, value)]));
}

/** Reads words such as `memory=1G`. Throws `BAD_OPTION`. */
export function parseLimitWords(words: readonly string[]): SessionLimits {
  const entries = words.map((word) => {
    const at = word.indexOf("=");
    if (at > 0) return [word.slice(0, at), word.slice(at + 1)] as const;
    throw new LimpetError("BAD_OPTION", `${JSON.stringify(word)} is not a limit. Use a limit such as memory=1G.`);
  });
  return parseLimits(Object.fromEntries(entries));
}

/** Like `parseLimits`; undefined if there are none. */
export function givenLimits(given: GivenLimits = {}): SessionLimits | undefined {
  const limits = parseLimits(given);
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** What applies: what was asked for, else the ceiling. Throws if more was asked for than the ceiling allows. */
export function narrowLimits(
  ceiling: SessionLimits | undefined,
  asked: SessionLimits | undefined,
): SessionLimits | undefined {
  for (const name of LIMIT_NAMES) {
    const [most, wanted] = [ceiling?.[name], asked?.[name]];
    if (most === undefined || wanted === undefined || wanted <= most) continue;
    throw new LimpetError(
      "BAD_OPTION",
      `${describeLimit(name, wanted)} is more than a person allows (${describeLimit(name, most)}). Ask for less, or omit it.`,
    );
  }
  const limits = { ...ceiling, ...asked };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** The lower of two limits each. Undefined if there are none. */
export function lowestLimits(
  one: SessionLimits | undefined,
  other: SessionLimits | undefined,
): SessionLimits | undefined {
  const both = LIMIT_NAMES.map((name) => [name, lowerOf(one?.[name], other?.[name])] as const);
  const given = both.filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function lowerOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** `memory 2G, processes 200`. */
export function describeLimits(limits: SessionLimits): string {
  const given = LIMIT_NAMES.filter((name) => limits[name] !== undefined);
  return given.map((name) => describeLimit(name, limits[name] ?? 0)).join(", ");
}

/** `limits: memory 2G (each process), processes 200`. */
export function describeLimitState({ enforced, hits }: LimitState): string {
  const ran = hits.length === 0 ? "" : `, ran into: ${hits.map(limitWords).join(", ")}`;
  return `limits: ${describeEnforced(enforced)}${ran}`;
}

function describeEnforced(limits: EnforcedLimits): string {
  const words = LIMIT_NAMES.flatMap((name) => {
    const limit = limits[name];
    return limit ? [`${describeLimit(name, limit.value)}${limit.by === "process" ? " (each process)" : ""}`] : [];
  });
  return words.join(", ");
}

/** `memory 2G`. */
export function describeLimit(name: LimitName, value: number): string {
  return `${KIND[name].what} ${describeValue(KIND[name].unit, value)}`;
}

/** As people call it: `CPU time`. */
export function limitWords(name: LimitName): string {
  return KIND[name].what;
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(KIND, name);
}

function readValue(given: unknown, unit: Unit): number | undefined {
  if (typeof given === "number") return Number.isSafeInteger(given) ? given : undefined;
  const text = typeof given === "string" ? given.trim() : "";
  if (unit === "count") return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  const [, number = "", suffix = ""] = /^(\d{1,15}(?:\.\d{1,6})?)\s*([A-Za-z]*)$/.exec(text) ?? [];
  const factor = unit === "ms" ? TIMES[suffix.toLowerCase()] : BYTES[suffix.toUpperCase().replace(/(?<=.)I?B$/, "")];
  const value = Math.round(Number(number) * (factor ?? Number.NaN));
  return number !== "" && Number.isSafeInteger(value) ? value : undefined;
}

function describeValue(unit: Unit, value: number): string {
  if (unit === "count") return String(value);
  const units = Object.entries(unit === "ms" ? TIMES : BYTES).filter(([suffix]) => unit === "bytes" || suffix !== "");
  const [suffix, factor] = units.findLast(([, each]) => value >= each && value % each === 0) ?? ["", 1];
  if (value / factor < 10_000) return `${value / factor}${suffix}`;
  const [rough, size] = units.findLast(([, each]) => value >= each) ?? ["", 1];
  return `${(value / size).toFixed(1)}${rough}`;
}
