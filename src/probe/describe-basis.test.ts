import { expect, test } from "vitest";
import { describeBasis } from "./describe-basis.ts";

const mode = { isCanonical: true, isEchoing: false };
const reader = { kind: "reader", pid: 9, call: "read", isRelayed: false, mode } as const;

test.each([
  [reader, "process 9 is blocked in read for a terminal in line mode without echo"],
  [
    { ...reader, call: "epoll", isRelayed: true, mode: { isCanonical: false, isEchoing: true } } as const,
    "process 9 is blocked in epoll behind a relay for a terminal in key mode with echo",
  ],
  [{ kind: "hidden" } as const, "the kernel does not show what the foreground program waits in"],
])("%o is described with the process, its call and the mode, or with the reason", (basis, words) => {
  expect(describeBasis(basis)).toBe(words);
});
