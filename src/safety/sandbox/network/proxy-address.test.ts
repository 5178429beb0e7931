import { expect, test } from "vitest";
import { proxyAddress } from "./proxy-address.ts";

const IPV4 = Buffer.from("02001f907f0000010000000000000000", "hex");
const IPV6 = Buffer.from("0a001f900000000000000000000000000000ffff7f00000100000000", "hex");

test.each([
  ["the address", IPV4, IPV4],
  ["with something in the unused bytes", Buffer.concat([IPV4.subarray(0, 8), Buffer.alloc(8, 7)]), IPV4],
  ["longer than needed", Buffer.concat([IPV4, Buffer.alloc(100, 7)]), IPV4],
  ["for a socket of version 6", IPV6, IPV6],
  ["of version 6 without a zone", IPV6.subarray(0, 24), IPV6],
])("the proxy is recognised: %s", (_, asked, address) => {
  expect(proxyAddress(asked, 8080)).toEqual(address);
});

test.each([
  ["nothing", ""],
  ["half of it", "02001f907f000001"],
  ["another port", "02001f917f0000010000000000000000"],
  ["another machine", "02001f907f0000020000000000000000"],
  ["every machine", "02001f90000000000000000000000000"],
  ["no family", "00001f907f0000010000000000000000"],
  ["a Unix socket", "01001f907f0000010000000000000000"],
  ["loopback of version 6", "0a001f90000000000000000000000000000000000000000100000000"],
  ["another machine of version 6", "0a001f900000000000000000000000000000ffff7f00000200000000"],
  ["version 6, cut off", "0a001f900000000000000000000000000000ffff7f"],
])("%s is not the proxy", (_, asked) => {
  expect(proxyAddress(Buffer.from(asked, "hex"), 8080)).toBeUndefined();
});
