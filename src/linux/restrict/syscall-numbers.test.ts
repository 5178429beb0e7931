import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callNumber, SYSTEM_CALLS } from "./syscall-numbers.ts";

/** The headers of linux-libc-dev. arm64 has the kernel's generic numbers, which are there on every processor. */
const HEADERS = {
  arm64: ["/usr/include/asm-generic/unistd.h"],
  x64: ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/x86_64-linux-gnu/include/asm/unistd_64.h"],
} as const;

/** By name. Some generic ones are defined by way of a number with a longer name, such as `__NR3264_fcntl`. */
function numbersIn(file: string): ReadonlyMap<string, number> {
  const lines = readFileSync(file, "utf8").matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm);
  return new Map([...lines].map(([, name = "", number]) => [name, Number(number)]));
}

for (const arch of ["x64", "arm64"] as const) {
  const header = HEADERS[arch].find((file) => existsSync(file));
  test.skipIf(header === undefined)(`the numbers on ${arch} are those of the kernel's headers`, () => {
    const known = numbersIn(header ?? "");
    const last = Math.max(...known.values());
    const ours = new Map(SYSTEM_CALLS.map((call) => [call, callNumber(call, arch)]));
    // Headers that are older than a call do not have it. It has the same number on all processors then.
    const isNew = (call: (typeof SYSTEM_CALLS)[number]) =>
      (ours.get(call) ?? 0) > last && callNumber(call, "x64") === callNumber(call, "arm64");
    const wrong = SYSTEM_CALLS.filter((call) => ours.get(call) !== known.get(call) && !isNew(call));

    expect(wrong).toEqual([]);
    expect(known.size).toBeGreaterThan(250);
  });
}
