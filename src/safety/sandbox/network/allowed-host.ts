/** Pure: the hosts that a sandbox may connect to, as people write them, and whether a connection is to one of them. */
import { isIP } from "node:net";

/** The ports of the web, for a host without a port. */
const WEB_PORTS: readonly number[] = [80, 443];
const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** One entry of a list. */
export interface AllowedHost {
  /** In lower case, without brackets and without a final dot. */
  readonly name: string;
  /** The entry was `*.name`: every name below it, and not `name` itself. */
  readonly isBelow: boolean;
  readonly ports: readonly number[];
}

/** A host that a program wants to reach. */
export interface WantedHost {
  readonly name: string;
  readonly port: number;
}

/** Undefined if the entry is not a host. */
export function parseAllowedHost(entry: string): AllowedHost | undefined {
  const [, star = "", bracketed, plain, port] = /^(\*\.)?(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const name = canonicalName(bracketed ?? plain ?? "");
  const isAddress = isIP(name) !== 0;
  if (name === "" || (bracketed !== undefined && isIP(name) !== 6)) return undefined;
  if (isAddress ? star !== "" : !isName(name)) return undefined;
  const number = Number(port);
  if (port !== undefined && (number < 1 || number > 65_535)) return undefined;
  return { name, isBelow: star !== "", ports: port === undefined ? WEB_PORTS : [number] };
}

/** The entry that allows it; undefined if none does. */
export function allowedBy(hosts: readonly AllowedHost[], { name, port }: WantedHost): AllowedHost | undefined {
  const wanted = canonicalName(name);
  return hosts.find((host) => host.ports.includes(port) && isNamed(wanted, host));
}

/** Whether everything that the first entry allows is allowed by the second. */
export function isCoveredBy(host: AllowedHost, other: AllowedHost): boolean {
  if (!host.ports.every((port) => other.ports.includes(port))) return false;
  if (host.isBelow) return other.isBelow && (host.name === other.name || host.name.endsWith(`.${other.name}`));
  return isNamed(host.name, other);
}

/** Names differ in case and in a final dot; addresses in how they are written. */
export function canonicalName(name: string): string {
  const plain = name.toLowerCase().replace(/\.$/, "");
  return isIP(plain) === 6 ? new URL(`http://[${plain.replace(/%.*$/, "")}]`).hostname.slice(1, -1) : plain;
}

function isNamed(name: string, host: AllowedHost): boolean {
  return host.isBelow ? isIP(name) === 0 && name.endsWith(`.${host.name}`) : name === host.name;
}

/** Whether it is the name of a host, in lower case, and not an address in any form. */
export function isName(name: string): boolean {
  // A name of digits alone would be an address, which resolvers read in many ways.
  const isNumber = /^[\d.]+$|(^|\.)0x[\da-f]*$|(^|\.)\d+$/.test(name);
  return name.length <= MAX_NAME_LENGTH && !isNumber && name.split(".").every((label) => LABEL.test(label));
}
