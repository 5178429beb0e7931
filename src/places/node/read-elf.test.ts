import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readElf } from "./read-elf.ts";

test("the Node that runs this test is read", () => {
  const elf = readElf(readFileSync(process.execPath));

  expect(elf?.machine).toBe(process.arch === "x64" ? "x86_64" : "aarch64");
  expect(elf?.loader).toMatch(/^\/lib.*\/ld-/);
  expect(elf?.libraries.some((name) => name.startsWith("libc."))).toBe(true);
});

test("what is not such a program, or only a part of one, is not read", () => {
  const head = readFileSync(process.execPath).subarray(0, 100);

  expect([readElf(Buffer.from("#!/bin/sh\n")), readElf(Buffer.alloc(0)), readElf(head)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
