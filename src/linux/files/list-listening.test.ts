import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listListening, parseAddress, parseTcpTable } from "./list-listening.ts";

test.each([
  ["0100007F", "127.0.0.1"],
  ["00000000", "0.0.0.0"],
  ["0A02A8C0", "192.168.2.10"],
  ["00000000000000000000000000000000", "::"],
  ["00000000000000000000000001000000", "::1"],
  ["0000000000000000FFFF00000100007F", "127.0.0.1"],
  ["B80D0120000000000000000001000000", "2001:db8::1"],
  ["000080FE00000000FF005450B6AD1DFE", "fe80::5054:ff:fe1d:adb6"],
])("%s is %s", (hex, address) => {
  expect(parseAddress(hex)).toBe(address);
});

test("only listening sockets of a table are listed", () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 53396 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 53397 1 0000000000000000 20 4 30 10 -1
`;

  expect(parseTcpTable(table)).toEqual([{ inode: "53396", port: 8080, address: "127.0.0.1" }]);
});

test("a table that cannot be read lists nothing", () => {
  expect(parseTcpTable("")).toEqual([]);
  expect(parseTcpTable("garbage 0A 0A 0A\n\n")).toEqual([]);
});

test("concurrent callers get the state after their calls", async () => {
  const early = Promise.all([listListening([process.pid]), listListening([process.pid])]);
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await Promise.all([early, once(server, "listening")]);
  const { port } = server.address() as AddressInfo;

  const told = await Promise.all([listListening([process.pid]), listListening([process.pid, 1 << 30])]);

  const own = { port, address: "127.0.0.1", pid: process.pid };
  expect(told.map((ports) => ports.filter((each) => each.port === port))).toEqual([[own], [own]]);
});
