/**
 * Pure: which sessions take part in a wait for the first of several, so that each event is reported once and no session
 * hides the others.
 */

/** What one caller knows about one session, as of now. */
export interface TargetFacts {
  /** Its program has ended. */
  readonly hasEnded: boolean;
  /** Its end, or a command that finished in it, was not reported to the caller. */
  readonly hasNews: boolean;
  /** It is a prepared shell that runs no command. */
  readonly isIdle: boolean;
  /** It waits at a prompt that was reported to the caller. */
  readonly isParked: boolean;
}

interface Choice {
  /** The sessions were named, so they are reported even if nothing is new. */
  readonly areNamed: boolean;
  /** The wait can also end with a match, a port or silence. */
  readonly hasOtherEnds: boolean;
}

/** `state`: report how they are now, because nothing more is expected. `events`: wait for what is new. */
export type Targets<T> =
  | { readonly kind: "events" | "state"; readonly sessions: readonly [T, ...T[]] }
  | { readonly kind: "nothing" };

export function chooseTargets<T extends TargetFacts>(
  all: readonly T[],
  { areNamed, hasOtherEnds }: Choice,
): Targets<T> {
  if (areNamed && all.length === 1) return targets("state", all);
  // Nothing more is expected of a session that has ended, nor of an idle shell that was not named.
  const open = all.filter(({ hasEnded, isIdle, hasNews }) => hasNews || (!hasEnded && (!isIdle || areNamed)));
  const isExpected = open.some(({ hasNews, isIdle, isParked }) => hasNews || (!isIdle && !isParked) || hasOtherEnds);
  if (isExpected) return targets("events", open);
  return areNamed ? targets("state", all) : { kind: "nothing" };
}

function targets<T>(kind: "events" | "state", sessions: readonly T[]): Targets<T> {
  const [first, ...others] = sessions;
  return first === undefined ? { kind: "nothing" } : { kind, sessions: [first, ...others] };
}
