/** Pure: what happened to files that run code later, one line for each kind. */
import type { GuardedReport } from "../../safety/guarded-files/project-guard.ts";
import { wordOrQuote } from "../../text/clean/quote-line.ts";

const MAX_NAMED = 5;
const PATH_CHARS = 200;

type Words = (files: string, usedBy: string, keptIn: string | undefined) => string;

const WORDS: Readonly<Record<GuardedReport["outcome"], Words>> = {
  restored: (files, usedBy, keptIn) =>
    `The sandbox restored ${files}, which ${usedBy} would use outside of it. ${copyWords(keptIn)}A person can allow it with allowChanges`,
  reported: (files, usedBy) => `Changed in the sandbox: ${files}, which ${usedBy} will use outside of it`,
  "not restored": (files, usedBy) =>
    `Changed in the sandbox, and could not be restored: ${files}, which ${usedBy} will use outside of it. A person must check it`,
};

export function describeGuarded(reports: readonly GuardedReport[]): readonly string[] {
  const kinds = new Map<string, GuardedReport[]>();
  for (const report of reports) {
    const key = `${report.outcome} ${report.usedBy} ${report.keptIn}`;
    kinds.set(key, [...(kinds.get(key) ?? []), report]);
  }
  return [...kinds.values()].map((same) => {
    const [first] = same as [GuardedReport];
    const names = [...new Set(same.map(({ path }) => wordOrQuote(path, { maxChars: PATH_CHARS })))];
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
    return WORDS[first.outcome](`${names.slice(0, MAX_NAMED).join(", ")}${more}`, first.usedBy, first.keptIn);
  });
}

/** For the person, who may have made the change: programs of the sandbox cannot read it. */
function copyWords(keptIn: string | undefined): string {
  return keptIn === undefined ? "" : `What was there is kept in ${wordOrQuote(keptIn, { maxChars: PATH_CHARS })}. `;
}
