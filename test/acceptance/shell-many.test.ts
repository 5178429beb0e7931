import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openShell } from "../../src/index.ts";
import { isLong } from "../support/sessions.ts";

const COMMANDS = isLong ? 10_000 : 600;

/** Kilobytes that a process holds. */
function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

test.each(["bash", "zsh", "dash", "busybox"])(
  "many commands in one shell of %s make neither it nor us larger",
  async (program) => {
    await using shell = await openShell({ shell: program });
    const pid = shell.session.pid ?? 0;
    const run = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) {
        const { output, exitCode } = await shell.run(`echo ${number}; (exit ${number % 200})`);
        if (output !== `${number}\n` || exitCode !== number % 200) throw new Error(`${number}: ${output} ${exitCode}`);
      }
    };
    await run(0, COMMANDS / 3);
    const before = residentKb(pid);

    await run(COMMANDS / 3, COMMANDS);

    expect(residentKb(pid) - before).toBeLessThan(1_024);
    expect((await shell.state()).jobs).toEqual([]);
  },
  900_000,
);
