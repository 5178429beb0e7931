import { readdirSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { inetSocketState, readSocketState, unixSocketState } from "./socket-state.ts";

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1065 1 0000 100 0 0 10 0
   1: 0100007F:A1B2 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 2077 1 0000 20 4 30 10 -1
   2: 0100007F:A1B4 0100007F:1F90 02 00000000:00000000 00:00000000 00000000     0        0 3088 1 0000 20 4 30 10 -1
`;
const UNIX = `Num       RefCount Protocol Flags    Type St Inode Path
00000000a7eae0f9: 00000003 00000000 00000000 0001 03 692059
00000000dab3394b: 00000002 00000000 00010000 0001 01 692312 /run/x.sock
`;

test.each([
  ["1065", "listening"],
  ["2077", "network"],
  ["3088", "other"],
  ["4099", undefined],
] as const)("the TCP socket %s is %s", (inode, state) => {
  expect(inetSocketState(TCP, inode)).toBe(state);
});

test.each([
  ["692059", "local"],
  ["692312", "listening"],
  ["1", undefined],
] as const)("the Unix socket %s is %s", (inode, state) => {
  expect(unixSocketState(UNIX, inode)).toBe(state);
});

test("the sockets of a process are found in the kernel's tables", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((done) => server.once("listening", done));
  const inodes = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });

  expect(inodes.map((inode) => readSocketState(process.pid, inode))).toContain("listening");
});
