/** Where the person's secrets are. */
import { dirname, join } from "node:path";
import { configFile, userConfig } from "../../config/user-config.ts";
import { SecretStore } from "../../safety/secrets/secret-store.ts";
import { SecretVault } from "../../safety/secrets/secret-vault.ts";
import type { SecretJournals } from "../../service/secrets/secrets.ts";
import { processEnv } from "./settings.ts";

export interface SecretSettings {
  readonly directory: string;
  readonly store: SecretStore;
  readonly vault: SecretVault;
  readonly journals: () => SecretJournals;
}

/** Beside config.json, where no program in a sandbox can read. The file is read again at each use. */
export function secretSettings(env: NodeJS.ProcessEnv = processEnv()): SecretSettings {
  const directory = join(dirname(configFile(env)), "secrets");
  const store = new SecretStore({ directory, env });
  const vault = new SecretVault({ store, configured: () => userConfig(env).secrets ?? {}, env });
  return { directory, store, vault, journals: () => userConfig(env).secretJournals ?? "redacted" };
}
