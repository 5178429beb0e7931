/** Why a person is asked, and which rule would make that unnecessary. Pure. */
import { basename } from "node:path";
import type { Verdict, VerdictReason } from "../../safety/policy/verdict.ts";
import type { ApprovalAct, ApprovalReason } from "../../service/approvals/approval.ts";

/** Words that a rule can hold as they are. */
const PLAIN = /^[\w@%+=:,./-]+(?: +[\w@%+=:,./-]+)*$/;
/** Programs whose first argument says what they do: `git push` is not of the kind of `git status`. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  (
    "apt apt-get aws az brew bun bundle cargo composer conda deno dnf docker docker-compose dotnet gcloud gem gh git " +
    "glab go gradle helm kubectl limpet mvn nix npm npx pacman pip pip3 pnpm podman poetry rustup service snap " +
    "systemctl terraform uv yarn"
  ).split(" "),
);
const MAX_CHARS = 1_000;

/** The reasons that ask, each once. */
export function reasonsOf({ reasons }: Verdict, act: ApprovalAct): readonly ApprovalReason[] {
  const asking = reasons.filter(({ decision }) => decision === "ask");
  const shown = asking.map((reason) => ({ text: describeReason(reason), topic: topicOf(reason, act) }));
  return [...new Map(shown.map((reason) => [reason.text, reason])).values()];
}

export function describeReason({ why, rule, part }: VerdictReason): string {
  return `${why.replace(/[.!]$/, "")} (${rule}): ${part}`.slice(0, MAX_CHARS);
}

/**
 * What an approval for the whole session covers: any input to the same program in the same session; the same rule and
 * the same program with the same subcommand, where it has any; for a caution, only the same part.
 */
function topicOf({ rule, part }: VerdictReason, { kind, session, place, program }: ApprovalAct): string {
  // What is approved at one place is not approved at another.
  const at = place === undefined ? "" : `${place}: `;
  if (kind === "input") return `${at}input ${session} ${program}`;
  const isRule = !rule.startsWith("caution ") && PLAIN.test(part);
  return `${at}${rule} ${isRule ? kindOf(part) : part}`.slice(0, MAX_CHARS);
}

function kindOf(part: string): string {
  const [name = "", next = ""] = part.trim().split(/\s+/);
  return WITH_SUBCOMMANDS.has(basename(name)) ? `${name} ${next}` : name;
}

/**
 * The prefixes that new rules in `file` would have to allow. Empty unless missing rules there are the only reason to
 * ask: an allow rule does not outweigh a rule that asks.
 */
export function prefixesOf({ reasons }: Verdict, file: string): readonly (readonly string[])[] {
  const asking = reasons.filter(({ decision }) => decision === "ask");
  if (!asking.every(({ rule, part }) => rule === `default of ${file}` && PLAIN.test(part))) return [];
  return [...new Set(asking.map(({ part }) => part))].map((part) => part.split(/ +/));
}
