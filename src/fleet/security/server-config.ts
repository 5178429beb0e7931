/** The configuration of nats-server for a fleet. Pure. */

export interface ServerConfig {
  /** The directory with the certificate, its key and the data of JetStream. Absolute. */
  readonly directory: string;
  readonly operatorToken: string;
  /** Tokens of the accounts, by their public keys. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly systemAccount: string;
}

/** The port of NATS. */
export const NATS_PORT = 4222;

export function serverConfig({ directory, operatorToken, accounts, systemAccount }: ServerConfig): string {
  const path = (name: string) => JSON.stringify(`${directory}/${name}`);
  return [
    "# The configuration of nats-server for a fleet of limpet hosts, written by limpet fleet init.",
    "# Start it with: nats-server --config THIS-FILE",
    "# On another machine, copy this directory and change the three paths.",
    "",
    `listen: "0.0.0.0:${NATS_PORT}"`,
    "max_payload: 1MB",
    "",
    "jetstream {",
    `  store_dir: ${path("jetstream")}`,
    "  max_memory_store: 256MB",
    "  max_file_store: 20GB",
    "}",
    "",
    "# Hosts and doors check this certificate with --tls-ca. You can use one of your own authority instead.",
    "tls {",
    `  cert_file: ${path("server.crt")}`,
    `  key_file: ${path("server.key")}`,
    "  timeout: 5",
    "}",
    "",
    "# Who may connect: users that the account has signed. limpet fleet add signs more of them without a change here.",
    `operator: ${operatorToken}`,
    `system_account: ${systemAccount}`,
    "resolver: MEMORY",
    "resolver_preload: {",
    ...Object.entries(accounts).map(([key, token]) => `  ${key}: ${token}`),
    "}",
    "",
  ].join("\n");
}
