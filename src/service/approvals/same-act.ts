/** Which acts are the same, so that an approval of one holds for the other. Pure. */
import type { ApprovalAct, ApprovalReason } from "./approval.ts";

/** Equal for acts that do exactly the same. */
export function fingerprintOf({ kind, text, program, session, place, directory, env, sandbox }: ApprovalAct): string {
  const variables = Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([kind, text, program, session, place, directory, variables, sandbox]);
}

/** Whether a person has approved each of these reasons for the whole session. */
export function isCovered(reasons: readonly ApprovalReason[], topics: ReadonlySet<string>): boolean {
  return reasons.length > 0 && reasons.every(({ topic }) => topics.has(topic));
}
