import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { DEFAULT_SIZE } from "../../base/limits.ts";
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

it("concurrent floods stay complete and separate", async () => {
  const letters = ["a", "b", "c"];

  const found = await Promise.all(letters.map(readFlood));

  expect(found).toEqual(letters.map(expected));
});
