/** How to open a session whose programs get secrets as variables. The values go nowhere else. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { OpenOptions } from "../../session/open/open-options.ts";
import type { Secrets } from "./secrets.ts";

interface GivenVariables {
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The names of variables, and of the secrets that they get. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
}

/** Empty without secrets. */
export async function secretOptions(
  secrets: Secrets | undefined,
  { env, secretEnv = {} }: GivenVariables,
): Promise<Pick<OpenOptions, "env" | "secretEnv" | "diskJournal">> {
  if (Object.keys(secretEnv).length === 0) return {};
  if (!secrets) {
    throw new LimpetError("SECRET_NOT_FOUND", "Sessions in this process have no secrets. Start it through a host.");
  }
  const variables = await secrets.variables(secretEnv);
  return { env: { ...env, ...variables }, secretEnv, diskJournal: secrets.journals === "redacted" };
}
