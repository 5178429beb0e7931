/** What a service needs to use secrets: where they come from, and which of them must be redacted. */
import { existsSync } from "node:fs";
import { LimpetError } from "../../base/limpet-error.ts";
import type { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import type { SecretVault } from "../../safety/secrets/secret-vault.ts";

/** What happens to the journals of sessions that are given secrets. `none`: they are in memory only. */
export type SecretJournals = "redacted" | "none";

export interface SecretsOptions {
  readonly known: KnownSecrets;
  readonly vault: Pick<SecretVault, "list" | "read">;
  /** Where stored secrets are. Default: nowhere. */
  readonly directory?: string;
  /** Default `redacted`. */
  readonly journals?: () => SecretJournals;
  /** People reach the sessions, too: with the command line. Default true. */
  readonly hasPeople?: boolean;
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

export class Secrets {
  readonly #options: SecretsOptions;

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  /** Empty if the configuration has a mistake: using a secret then reports it. */
  async names(): Promise<readonly string[]> {
    const listed = await this.#options.vault.list().catch(() => []);
    return listed.map(({ name }) => name);
  }

  /** From now on, the value is redacted. */
  async take(name: string): Promise<string> {
    const value = await this.#options.vault.read(name);
    this.#options.known.add(value);
    return value;
  }

  /** A value that did not come from the vault. */
  learn(value: string): void {
    this.#options.known.add(value);
  }

  get hasPeople(): boolean {
    return this.#options.hasPeople ?? true;
  }

  /** What no program in a sandbox may read. */
  get hidden(): readonly string[] {
    const { directory } = this.#options;
    return directory !== undefined && existsSync(directory) ? [directory] : [];
  }

  get known(): KnownSecrets {
    return this.#options.known;
  }

  get journals(): SecretJournals {
    return this.#options.journals?.() ?? "redacted";
  }

  /** The variables with the values of these secrets. */
  async variables(given: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    const variables: [string, string][] = [];
    for (const [variable, name] of Object.entries(given)) {
      requireVariable(variable);
      variables.push([variable, await this.take(name)]);
    }
    return Object.fromEntries(variables);
  }
}

function requireVariable(variable: string): void {
  if (VARIABLE.test(variable)) return;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(variable)} cannot be a variable. Give the secret another variable, such as TOKEN=${variable}.`,
  );
}
