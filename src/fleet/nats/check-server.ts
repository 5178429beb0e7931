/**
 * Checks that a certificate belongs to the configured server. The NATS client passes on only host names: for a server
 * with an IP address, it would check the name `localhost`.
 */
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { serversOf } from "./nats-access.ts";

/** Returns a function for Node's option `checkServerIdentity`. */
export function checkServer(url: string): (name: string, certificate: PeerCertificate) => Error | undefined {
  const hosts = serversOf(url).map(hostIn);
  const addresses = hosts.filter((host) => isIP(host) > 0);
  return (name, certificate) => {
    if (hosts.includes(name) || addresses.length === 0) return checkServerIdentity(name, certificate);
    const problems = addresses.map((address) => checkServerIdentity(address, certificate));
    // The server has one of these addresses. The client does not say which one.
    return problems.includes(undefined) ? undefined : problems[0];
  };
}

function hostIn(server: string): string {
  const withScheme = server.includes("://") ? server : `nats://${server}`;
  try {
    return new URL(withScheme).hostname.replace(/^\[|\]$/g, "");
  } catch {
    return "";
  }
}
