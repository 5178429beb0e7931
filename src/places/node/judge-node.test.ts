import { expect, test } from "vitest";
import { parseBareFacts, requireFittingNode } from "./judge-node.ts";

const elf = { machine: "x86_64", loader: "/lib64/ld-linux-x86-64.so.2", libraries: ["libc.so.6"] };
const judge = (facts: string, given: object = {}) =>
  requireFittingNode(parseBareFacts(facts), { place: "docker:pg", file: "/n", elf: { ...elf, ...given } });

test("a Node for the machine and the C library fits", () => {
  expect(judge("x86_64 glibc gzip v18.0.0")).toBeUndefined();
  expect(judge("x86_64 musl cat", { loader: "/lib/ld-musl-x86_64.so.1" })).toBeUndefined();
  expect(judge("x86_64 none cat", { loader: undefined })).toBeUndefined();
});

test.each([
  ["aarch64 glibc gzip", {}, "/n is for x86_64, while the place is aarch64"],
  ["x86_64 musl gzip", {}, "/n is built for glibc, while the place has musl"],
  ["x86_64 none cat", {}, "it has no loader for /n"],
  ["x86_64 glibc gzip", { libraries: ["libnode.so.108"] }, "it needs libnode.so.108"],
])("%s: %j is refused with a reason", (facts, given, reason) => {
  expect(() => judge(facts, given)).toThrow(
    expect.objectContaining({ code: "PLACE_NO_NODE", message: expect.stringContaining(reason) }),
  );
});

test("what a place says about itself is read", () => {
  expect(parseBareFacts("x86_64 glibc gzip v18.0.0 v16.1.0")).toEqual({
    machine: "x86_64",
    libc: "glibc",
    canUnpack: true,
    old: ["v18.0.0", "v16.1.0"],
  });
});
