/** Pure: the addresses of the proxy, in the form in which programs give them to the kernel. */

const AF_INET = 2;
const AF_INET6 = 10;
const IPV4_BYTES = 16;
const IPV6_BYTES = 28;
/** Without the zone, which older programs leave out. */
const IPV6_MIN_BYTES = 24;
const LOOPBACK = [127, 0, 0, 1];

/** The part of an address that says where it leads: the family, the port and the number of the machine. */
const IPV4_PARTS = [[0, 8]] as const;
const IPV6_PARTS = [
  [0, 4],
  [8, 24],
] as const;

/** What to connect to for a program that asked for `asked`. Undefined if that is not the proxy on `port`. */
export function proxyAddress(asked: Uint8Array, port: number): Buffer | undefined {
  const [ipv4, ipv6] = [Buffer.alloc(IPV4_BYTES), Buffer.alloc(IPV6_BYTES)];
  ipv4.writeUInt16LE(AF_INET, 0);
  ipv4.writeUInt16BE(port, 2);
  ipv4.set(LOOPBACK, 4);
  // The same address for an IPv6 socket, which Java uses.
  ipv6.writeUInt16LE(AF_INET6, 0);
  ipv6.writeUInt16BE(port, 2);
  ipv6.set([0xff, 0xff, ...LOOPBACK], 18);
  const given = Buffer.from(asked);
  const leadsTo = (address: Buffer, parts: readonly (readonly [number, number])[]) =>
    parts.every(([from, to]) => given.subarray(from, to).equals(address.subarray(from, to)));
  if (given.length >= IPV4_BYTES && leadsTo(ipv4, IPV4_PARTS)) return ipv4;
  if (given.length >= IPV6_MIN_BYTES && leadsTo(ipv6, IPV6_PARTS)) return ipv6;
  return undefined;
}
