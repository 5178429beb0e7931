import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { openShell } from "../../../src/entries/shell.ts";
import { needs } from "../../support/needs.ts";
import { isLong } from "../../support/sessions.ts";
import { SHELLS } from "../../support/shells.ts";

const COMMANDS = isLong ? 10_000 : 600;

/** Kilobytes that a process holds. */
function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Kilobytes that live objects of this process take. */
function usedKb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024;
}

test.for(SHELLS)(
  "many commands in one shell of %s make neither it nor us larger",
  { timeout: 900_000 },
  async (program, { skip }) => {
    skip(!needs(program));
    await using shell = await openShell({ shell: program });
    const pid = shell.session.pid ?? 0;
    const run = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) {
        const { output, exitCode } = await shell.run(`echo ${number}; (exit ${number % 200})`);
        if (output !== `${number}\n` || exitCode !== number % 200) throw new Error(`${number}: ${output} ${exitCode}`);
      }
    };
    const warm = Math.floor(COMMANDS / 3);
    await run(0, warm);
    const before = residentKb(pid);
    const ownBefore = usedKb();

    await run(warm, COMMANDS);

    expect(residentKb(pid) - before).toBeLessThan(1_024);
    // What is printed is kept, up to a bound.
    expect(usedKb() - ownBefore).toBeLessThan(4_096);
    expect((await shell.state()).jobs).toEqual([]);
  },
);
