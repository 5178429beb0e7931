/** Asks a person when ssh needs a password, a second factor, a passphrase or the confirmation of a host key. */
import type { LimpetError } from "../../base/limpet-error.ts";
import type { SshQuestion } from "./question-in.ts";
import type { SshWays } from "./ssh-ways.ts";

/**
 * Who answers. `terminal`: the person at the terminal of this process, with the prompts of ssh. `session`: a person who
 * attaches to a session on this machine. `nobody`: the call fails with the error of ssh.
 */
export type Asks = "terminal" | "session" | "nobody";

export interface SshRefusal {
  /** The name of the place in messages. */
  readonly place: string;
  readonly ways: SshWays;
  readonly question: SshQuestion;
  /** The error of ssh when it could not prompt. */
  readonly error: LimpetError;
  /** The state directory of the host on this machine. */
  readonly stateDirectory: string;
  /** Stops asking when it is aborted. */
  readonly signal: AbortSignal | undefined;
}

/** Resolves when a control master runs. Rejects if nobody has answered. */
export async function askPerson(asks: Exclude<Asks, "nobody">, refusal: SshRefusal): Promise<void> {
  if (asks === "terminal") return await (await import("./ask-on-terminal.ts")).askOnTerminal(refusal);
  const { askInSession } = await import("./ask-in-session.ts");
  await askInSession(refusal);
}
