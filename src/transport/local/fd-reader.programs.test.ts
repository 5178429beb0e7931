/** @own-process Whether somebody types is known to the whole process. */
import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { DEFAULT_SIZE } from "../../base/limits.ts";
import { isTypingElsewhere } from "../recent-typing.ts";
import { localTransport } from "./local-transport.ts";

const LINES = 20_000;

/** Numbered lines of one letter, as the program below prints them and a terminal shows them. */
function expected(letter: string): string {
  const hash = createHash("sha256");
  for (let line = 1; line <= LINES; line += 1) hash.update(`${line}${letter.repeat(70)}\r\n`);
  return hash.digest("hex");
}

async function readFlood(letter: string): Promise<string> {
  const hash = createHash("sha256");
  const script = `BEGIN { for (i = 1; i <= ${LINES}; i++) print i "${letter.repeat(70)}" }`;
  const channel = await localTransport.open({
    program: "awk",
    args: [script],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    size: DEFAULT_SIZE,
    tty: true,
    onOutput: (bytes) => hash.update(bytes),
  });
  await channel.exited;
  await channel.close({ graceMs: 0 });
  return hash.digest("hex");
}

it("the start of a program counts as typing, so that floods of others give way to it", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(60_000);
  const before = isTypingElsewhere();
  const options = { program: "true", args: [], cwd: "/", env: { PATH: "/usr/bin:/bin" }, size: DEFAULT_SIZE };
  const channel = await localTransport.open({ ...options, tty: true, onOutput: () => undefined });
  const during = isTypingElsewhere();
  vi.useRealTimers();
  await channel.exited;
  await channel.close({ graceMs: 0 });

  expect([before, during]).toEqual([false, true]);
});

it("concurrent floods stay complete and separate", async () => {
  const letters = ["a", "b", "c"];

  const found = await Promise.all(letters.map(readFlood));

  expect(found).toEqual(letters.map(expected));
});
