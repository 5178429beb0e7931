/** Whether a visitor may use a route. The one place that decides this. Pure. */
import { notAllowed, type Refusal } from "../refusal.ts";
import type { Right, Visitor } from "../route.ts";

interface Guarded {
  readonly right: Right | null;
  readonly isForPeople?: boolean;
  readonly isForShared?: boolean;
  readonly isForPrompt?: boolean;
}

/** Undefined if it may. `visitor`: undefined if nobody has signed in. */
export function checkRight(
  { right, isForPeople = false, isForShared = false, isForPrompt = false }: Guarded,
  visitor: Visitor | undefined,
  params: Readonly<Record<string, string>>,
): Refusal | undefined {
  if (right === null) return undefined;
  if (visitor === undefined) return NOT_SIGNED_IN;
  if (right === "control" && visitor.right !== "control")
    return notAllowed("You may only watch. Ask the person who gave you the link or the token for control.");
  if (isForPeople && !visitor.isPerson)
    return notAllowed("This is for people, and a token is for agents. Sign in with a link of limpet web.");
  if (visitor.prompt !== undefined && !isForPrompt)
    return notAllowed("Your link is for one password prompt only. Ask for another one.");
  if (visitor.session !== null && !isForShared && params["id"] !== visitor.session)
    return notAllowed(`Your link is for session ${visitor.session} only. Ask for another one.`);
  return undefined;
}

export const NOT_SIGNED_IN: Refusal = {
  status: 401,
  code: "NOT_SIGNED_IN",
  message: "You are not signed in. Use a link of limpet web, or a token of limpet token create.",
  headers: { "www-authenticate": 'Bearer realm="limpet"' },
};
