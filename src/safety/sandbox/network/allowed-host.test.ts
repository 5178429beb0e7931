import { expect, test } from "vitest";
import { allowedBy, parseAllowedHost } from "./allowed-host.ts";
import { isPrivateAddress } from "./is-private-address.ts";
import { allowedAddresses, parseWantedHost } from "./judge-connection.ts";

test.each([
  ["registry.example", { name: "registry.example", isBelow: false, ports: [80, 443] }],
  ["Registry.Example.", { name: "registry.example", isBelow: false, ports: [80, 443] }],
  ["*.github.com", { name: "github.com", isBelow: true, ports: [80, 443] }],
  ["db.example:5432", { name: "db.example", isBelow: false, ports: [5432] }],
  ["127.0.0.1:8080", { name: "127.0.0.1", isBelow: false, ports: [8080] }],
  ["[0:0::1]:80", { name: "::1", isBelow: false, ports: [80] }],
  ["xn--bcher-kva.example", { name: "xn--bcher-kva.example", isBelow: false, ports: [80, 443] }],
])("%s is a host", (entry, host) => {
  expect(parseAllowedHost(entry)).toEqual(host);
});

test.each([
  "",
  "*",
  "*.",
  "a b",
  "http://a.example",
  "a.example/",
  "a.example:0",
  "a.example:70000",
  "a..example",
  "-a.example",
  "*.1.2.3.4",
  "1.2.3",
  "0x7f.1",
  "2130706433",
  "a.*.example",
  "user@a.example",
  "[a.example]",
  "::1",
  "bücher.example",
])("%j is not a host", (entry) => {
  expect(parseAllowedHost(entry)).toBeUndefined();
});

const list = ["a.example", "*.b.example", "c.example:8443", "10.1.2.3:5432", "localhost:3000"].map(
  (entry) => parseAllowedHost(entry) ?? expect.fail(entry),
);

test.each([
  ["a.example:443", true],
  ["A.EXAMPLE.:80", true],
  ["x.b.example:443", true],
  ["x.y.b.example:443", true],
  ["c.example:8443", true],
  ["10.1.2.3:5432", true],
  ["a.example:22", false],
  ["b.example:443", false],
  ["xb.example:443", false],
  ["c.example:443", false],
  ["a.example.evil:443", false],
  ["10.1.2.4:5432", false],
  ["[::ffff:10.1.2.3]:5432", false],
])("a connection to %s: %s", (authority, isAllowed) => {
  const wanted = parseWantedHost(authority) ?? expect.fail(authority);

  expect(allowedBy(list, wanted) !== undefined).toBe(isAllowed);
});

test.each([
  ...["", "a.example", "a.example:x", "a.example:99999", "a.example:0", "a.example:443:80", "[a]:80", "a:80/x"],
  ...["::1:80", "[::1:80", "[127.0.0.1]:80", "[::1]x:80", "a@b:80", "a\\@b:80", "b#x.a.example:80", "b?x.a.example:80"],
  ...["b\0.a.example:80", "b%00.a.example:80", "a b:80", "a.exa\u00adple:80", "a\u3002example:80", "a..example:80"],
  ...["2130706433:80", "127.1:80", "0x7f000001:80", "0177.0.0.1:80", "1.2.3.4.5:80", "127.0.0.1.:x"],
])("%j names no host and port", (authority) => {
  expect(parseWantedHost(authority)).toBeUndefined();
});

test("a name that leads into the own network is refused, unless the address is listed", () => {
  const public4 = "93.184.215.14";
  const found = [public4, "127.0.0.1", "10.1.2.3", "::1", "fe80::1"];

  expect(allowedAddresses(list, { name: "a.example", port: 443 }, { addresses: found, own: [] })).toEqual([public4]);
  expect(allowedAddresses(list, { name: "a.example", port: 5432 }, { addresses: found, own: [] })).toEqual([
    public4,
    "10.1.2.3",
  ]);
  expect(allowedAddresses(list, { name: "a.example", port: 443 }, { addresses: found, own: [public4] })).toEqual([]);
});

test("localhost is this machine and nothing else", () => {
  expect(
    allowedAddresses(list, { name: "localhost", port: 3000 }, { addresses: ["127.0.0.1", "93.184.215.14"], own: [] }),
  ).toEqual(["127.0.0.1"]);
});

test.each([
  "0.0.0.0",
  "127.8.8.8",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "172.31.0.1",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::127.0.0.1",
  "fd00::1",
  "fe80::1%eth0",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "not an address",
])("%s is private", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each(["93.184.215.14", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"])("%s is public", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
