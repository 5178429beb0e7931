/** Pure: whether a sandbox may connect to a host, before its name is resolved and after. */
import { isIP } from "node:net";
import { type AllowedHost, allowedBy, canonicalName, type WantedHost } from "./allowed-host.ts";
import { isPrivateAddress } from "./private-address.ts";

/** The host of `host:port`, or of `[address]:port`; undefined if it is not one. */
export function parseWantedHost(authority: string, defaultPort?: number): WantedHost | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]/@]+))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const name = bracketed ?? plain;
  const port = digits === undefined ? defaultPort : Number(digits);
  if (name === undefined || port === undefined || port < 1 || port > 65_535) return undefined;
  if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined;
  return { name: canonicalName(name), port };
}

/** Of the addresses that a name has, those that may be connected to. */
export function allowedAddresses(
  hosts: readonly AllowedHost[],
  wanted: WantedHost,
  addresses: readonly string[],
): readonly string[] {
  // Whoever lists localhost means this machine. The name of another host must not lead here.
  if (isLocalhost(wanted.name)) return addresses.filter((address) => isPrivateAddress(address));
  const { port } = wanted;
  return addresses.filter((address) => !isPrivateAddress(address) || allowedBy(hosts, { name: address, port }));
}

/** Names of this machine, whatever a resolver says. */
export function isLocalhost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}
