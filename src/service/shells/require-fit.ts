/** A shell that runs already must have what a command needs: neither a sandbox nor secrets can be added later. */
import { LimpetError } from "../../base/limpet-error.ts";
import { describeSandbox } from "../../base/sandbox-request.ts";
import type { Session } from "../../session/session.ts";
import type { RunRequest } from "../turn/start-request.ts";

type Fitting = Pick<RunRequest, "sandbox" | "fresh">;

/** Throws `BAD_OPTION`. */
export function requireFit(session: Pick<Session, "id" | "sandbox" | "secretEnv">, asked: Fitting): void {
  const { id, sandbox, secretEnv = {} } = session;
  const files = asked.sandbox === "off" ? undefined : asked.sandbox?.files;
  if (asked.sandbox !== undefined && sandbox?.files !== files) throw otherSandbox(id, describeSandbox(sandbox));
  const missing = Object.entries(asked.fresh?.secretEnv ?? {}).find(([name, secret]) => secretEnv[name] !== secret);
  if (missing) throw withoutSecret(id, missing[0]);
}

function otherSandbox(id: number, has: string): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    `Shell ${id} already runs with another sandbox (${has}). Omit sandbox, or start another shell with a new name.`,
  );
}

function withoutSecret(id: number, variable: string): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    `Shell ${id} was started without the secret variable ${variable}. Start another shell with a new name: shells get secrets when they start.`,
  );
}
