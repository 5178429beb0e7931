/** Pure: whether a sandbox may connect to a host, before its name is resolved and after. */
import { isIP } from "node:net";
import { type AllowedHost, allowedBy, canonicalName, isName, type WantedHost } from "./allowed-host.ts";
import { isPrivateAddress } from "./is-private-address.ts";

/** The host of `host:port`, or of `[address]:port`; undefined if it is not one. */
export function parseWantedHost(authority: string, defaultPort?: number): WantedHost | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]/@]+))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const name = bracketed ?? plain;
  const port = digits === undefined ? defaultPort : Number(digits);
  if (name === undefined || port === undefined || port < 1 || port > 65_535) return undefined;
  if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined;
  const wanted = canonicalName(name);
  // Resolvers and programs differ in how they read other characters, and addresses in other forms.
  return isIP(wanted) !== 0 || isName(wanted) ? { name: wanted, port } : undefined;
}

/** Of the addresses that a name has, those that may be connected to. */
export function allowedAddresses(
  hosts: readonly AllowedHost[],
  wanted: WantedHost,
  { addresses, own }: KnownAddresses,
): readonly string[] {
  // Whoever lists localhost means this machine. The name of another host must not lead here.
  if (isLocalhost(wanted.name)) return addresses.filter((address) => isPrivateAddress(address));
  const { port } = wanted;
  const isNear = (address: string) => isPrivateAddress(address) || own.includes(canonicalName(address));
  return addresses.filter((address) => !isNear(address) || allowedBy(hosts, { name: address, port }));
}

/** What is known about the addresses of a name. */
export interface KnownAddresses {
  readonly addresses: readonly string[];
  /** Those of this machine, which may have public ones. */
  readonly own: readonly string[];
}

/** Names of this machine, whatever a resolver says. */
export function isLocalhost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}
