import { expect, test } from "vitest";
import { describeBasis } from "./describe-basis.ts";

const mode = { isCanonical: true, isEchoing: false };
const reader = {
  kind: "reader",
  pid: 9,
  name: "ssh",
  call: "read",
  isRelayed: false,
  isFar: false,
  isSideThread: false,
  isTimed: false,
  isConcurrent: false,
  mode,
} as const;

test.each([
  [reader, "process 9 is blocked in read for a terminal in line mode without echo"],
  [
    { ...reader, call: "epoll", isRelayed: true, mode: { isCanonical: false, isEchoing: true } } as const,
    "process 9 is blocked in epoll behind a relay for a terminal in key mode with echo",
  ],
  [{ ...reader, isFar: true } as const, "ssh passes keys on to a program that limpet cannot observe"],
  [
    { kind: "hidden", mode } as const,
    "the kernel does not show what the foreground program waits in; the terminal is in line mode without echo",
  ],
  [{ kind: "asks-terminal", pid: 9 } as const, "process 9 asked its terminal something and waits for the answer"],
])("%o is described with the process, its call and the mode, or with the reason", (basis, words) => {
  expect(describeBasis(basis)).toBe(words);
});
