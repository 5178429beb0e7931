/** Pure: addresses that belong to this machine or to a network around it, as opposed to the internet. */
import { BlockList, isIP } from "node:net";

const V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
];
/** `64:ff9b::/32` (translation) and `2002::/16` (6to4) contain an IPv4 address. */
const V6 = ["::/127", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "64:ff9b::/32", "2002::/16", "2001::/32"];

const list = new BlockList();
for (const [ranges, family] of [[V4, "ipv4"] as const, [V6, "ipv6"] as const]) {
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
}

/** Also true for what is not an address. */
export function isPrivateAddress(address: string): boolean {
  const plain = v4Within(address) ?? address;
  const version = isIP(plain);
  return version === 0 || list.check(plain, version === 4 ? "ipv4" : "ipv6");
}

/** The IPv4 address that an IPv6 address stands for, as `::ffff:127.0.0.1` and `::ffff:7f00:1` do. */
function v4Within(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [, high, low] = /^\[::(?:ffff:)?(?:([\da-f]{1,4}):)?([\da-f]{1,4})\]$/.exec(hostname) ?? [];
  if (low === undefined) return undefined;
  const [a, b] = [Number.parseInt(high ?? "0", 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}
