/** The address of NATS, and the credentials for it. */
export interface NatsAccess {
  /** One address such as `nats://nats:4222` or `tls://nats:4222`, or several separated by commas. */
  readonly url: string;
  /** A file with credentials, as `limpet fleet init` and `nsc` write it. */
  readonly creds?: string | undefined;
  /** A file with the seed of a user's key. */
  readonly nkey?: string | undefined;
  /** A file with the certificates of trusted authorities. Default: those that Node trusts. */
  readonly tlsCa?: string | undefined;
}

/** The addresses without user names and passwords, for messages. */
export function describeAccess({ url }: NatsAccess): string {
  return serversOf(url)
    .map((server) => server.replace(/\/\/[^/@]*@/, "//"))
    .join(", ");
}

export function serversOf(url: string): readonly string[] {
  return url
    .split(",")
    .map((server) => server.trim())
    .filter((server) => server !== "");
}
