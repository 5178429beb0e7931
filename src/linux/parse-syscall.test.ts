import { expect, test } from "vitest";
import { parseSyscall } from "./parse-syscall.ts";

const ARGUMENTS = "0x5 0x7ffc0010 0x400 0xffffffff 0x7ffc0020 0x0 0x7ffc0000 0x7f3a80d0";
const none = { kind: "none" };

test.each([
  ["x64", 0, { call: "read", fd: 5 }],
  ["x64", 19, { call: "read", fd: 5 }],
  ["x64", 40, { call: "read", fd: 0x7ffc0010 }],
  ["x64", 7, { call: "poll", at: 5n, count: 4096, timeout: { kind: "ms", ms: 1024 } }],
  ["x64", 271, { call: "poll", at: 5n, count: 4096, timeout: { kind: "at", at: 0x400n } }],
  ["x64", 23, { call: "select", at: 0x7ffc0010n, count: 5, timeout: { kind: "at", at: 0x7ffc0020n } }],
  ["x64", 270, { call: "select", at: 0x7ffc0010n, count: 5, timeout: { kind: "at", at: 0x7ffc0020n } }],
  ["x64", 232, { call: "epoll", fd: 5, timeout: none }],
  ["x64", 281, { call: "epoll", fd: 5, timeout: none }],
  ["x64", 441, { call: "epoll", fd: 5, timeout: { kind: "at", at: 0xffffffffn } }],
  ["arm64", 63, { call: "read", fd: 5 }],
  ["arm64", 65, { call: "read", fd: 5 }],
  ["arm64", 73, { call: "poll", at: 5n, count: 4096, timeout: { kind: "at", at: 0x400n } }],
  ["arm64", 72, { call: "select", at: 0x7ffc0010n, count: 5, timeout: { kind: "at", at: 0x7ffc0020n } }],
  ["arm64", 22, { call: "epoll", fd: 5, timeout: none }],
  ["arm64", 441, { call: "epoll", fd: 5, timeout: { kind: "at", at: 0xffffffffn } }],
])("on %s, call %i is parsed with its files and its time limit", (arch, number, blocked) => {
  expect(parseSyscall(`${number} ${ARGUMENTS}\n`, arch)).toEqual(blocked);
});

test.each([
  ["a running thread", "running\n", "x64"],
  ["a thread outside of any call", "-1 0x7ffc0000 0x7f3a80d0\n", "x64"],
  ["a sleeping thread", `230 ${ARGUMENTS}\n`, "x64"],
  ["a read of the other machine", `63 ${ARGUMENTS}\n`, "x64"],
  ["an unknown machine", `0 ${ARGUMENTS}\n`, "riscv64"],
  ["an empty file", "", "x64"],
  ["a number without arguments", "0\n", "x64"],
  ["something else", "0 hello world\n", "x64"],
])("%s is blocked in nothing that reads", (_, line, arch) => {
  expect(parseSyscall(line, arch)).toBeUndefined();
});

test("a descriptor is a signed 32-bit number, whatever the upper half of the register holds", () => {
  expect(parseSyscall("0 0xffffffff00000003 0x1 0x1\n", "x64")).toEqual({ call: "read", fd: 3 });
  expect(parseSyscall("0 0xffffffff 0x1 0x1\n", "x64")).toEqual({ call: "read", fd: -1 });
});

test("a call without a time limit waits for ever", () => {
  const poll = parseSyscall("7 0x10 0x1 0xffffffff 0x0 0x0 0x0 0x0 0x0\n", "x64");
  const select = parseSyscall("23 0x1 0x10 0x0 0x0 0x0 0x0 0x0 0x0\n", "x64");

  expect([poll, select]).toMatchObject([{ timeout: none }, { timeout: none }]);
});
