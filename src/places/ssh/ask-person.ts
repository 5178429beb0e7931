/** Who answers when ssh asks for a password, a second factor, a passphrase or the trust in a host key. */
import type { LimpetError } from "../../base/limpet-error.ts";
import type { SshQuestion } from "./question-in.ts";
import type { SshWays } from "./ssh-ways.ts";

/**
 * `terminal`: the person at the terminal of this process, with the prompts of ssh itself. `session`: a person who
 * attaches to a session of this machine. `nobody`: the call fails with the words of ssh.
 */
export type Asks = "terminal" | "session" | "nobody";

export interface SshRefusal {
  /** How messages name the place. */
  readonly place: string;
  readonly ways: SshWays;
  readonly question: SshQuestion;
  /** What ssh said when it could not ask. */
  readonly error: LimpetError;
  /** Of the host on this machine. */
  readonly stateDirectory: string;
  /** Once it is aborted, nobody is asked any more. */
  readonly signal: AbortSignal | undefined;
}

/** Resolves when a control master runs; rejects if nobody has answered. */
export async function askPerson(asks: Exclude<Asks, "nobody">, refusal: SshRefusal): Promise<void> {
  if (asks === "terminal") return await (await import("./ask-on-terminal.ts")).askOnTerminal(refusal);
  const { askInSession } = await import("./ask-in-session.ts");
  await askInSession(refusal);
}
