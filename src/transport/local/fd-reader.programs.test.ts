import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { DEFAULT_SIZE, TERMINAL_DRAIN_BYTES } from "../../base/limits.ts";
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

it("what a background process printed last is complete, although it is read after its end and in small shares", async () => {
  const directory = mkdtempSync(join(tmpdir(), "limpet-last-"));
  let taken = 0;
  const channel = await localTransport.open({
    program: "sh",
    args: ["-c", "trap '' HUP; (until [ -e go ]; do sleep 0.05; done; head -c 8000 /dev/zero; : > done) & :"],
    cwd: directory,
    env: { PATH: "/usr/bin:/bin" },
    size: DEFAULT_SIZE,
    tty: true,
    onOutput: (bytes) => {
      taken += bytes.length;
    },
  });
  await channel.exited;
  // Whatever this process reads, its share of the time is over after the first piece.
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 10));
  onTestFinished(async () => {
    clock.mockRestore();
    await channel.close({ graceMs: 0 });
    rmSync(directory, { recursive: true });
  });

  // Nothing is read meanwhile: the output and its end are seen in one turn of the loop.
  const untilOver = `: > go; until [ -e done ]; do sleep 0.05; done; while kill -0 -${channel.pid} 2>/dev/null; do sleep 0.05; done`;
  execFileSync("sh", ["-c", untilOver], { cwd: directory, timeout: 30_000 });
  await channel.outputEnded;

  expect(taken).toBe(8_000);
});

it("asking what a flooding program waits for reads only what the terminal holds, and does not follow the flood", async () => {
  let taken = 0;
  const channel = await localTransport.open({
    program: "sh",
    args: ["-c", "stty raw; exec cat /dev/zero"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    size: DEFAULT_SIZE,
    tty: true,
    onOutput: (bytes) => {
      taken += bytes.length;
    },
  });
  onTestFinished(async () => void (await channel.close({ graceMs: 0 })));
  await vi.waitUntil(() => taken > 1_000_000, { timeout: 20_000 });

  const read = Array.from({ length: 100 }, () => {
    const before = taken;
    channel.probe?.observe();
    return taken - before;
  });

  expect(Math.max(...read)).toBeLessThanOrEqual(2 * TERMINAL_DRAIN_BYTES);
});
