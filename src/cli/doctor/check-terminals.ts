import { closeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_SIZE } from "../../base/limits.ts";
import type { Pty } from "../../pty/open-pty.ts";
import { type Finding, reasonOf } from "./finding.ts";

/** A busy machine may need more than this. */
const FEW_LEFT = 64;

/** Loaded here: without the binding, the other checks still have to run. */
async function openOne(): Promise<Pty> {
  const { openPty } = await import("../../pty/open-pty.ts");
  return openPty(DEFAULT_SIZE);
}

/** Opens a terminal and closes it again. */
export async function checkTerminal(open: () => Promise<Pty> | Pty = openOne): Promise<Finding> {
  const check = "terminals";
  try {
    const { master, slave, path } = await open();
    closeSync(slave);
    closeSync(master);
    return { check, verdict: "ok", what: `opened and closed ${path}`, meaning: "Programs get a real terminal." };
  } catch (error) {
    return {
      check,
      verdict: "fail",
      what: reasonOf(error),
      meaning: "Sessions with a terminal cannot start. In a container, mount devpts at /dev/pts and allow /dev/ptmx.",
    };
  }
}

/** How many more terminals the kernel allows. */
export async function checkTerminalLimit(proc: string): Promise<Finding> {
  const check = "kernel.pty.max";
  try {
    const [max, used] = await Promise.all(["max", "nr"].map((name) => readNumber(join(proc, "sys/kernel/pty", name))));
    const left = (max ?? 0) - (used ?? 0);
    const what = `${used} of ${max} terminals are in use`;
    return left >= FEW_LEFT
      ? { check, verdict: "ok", what, meaning: `${left} more can be opened.` }
      : {
          check,
          verdict: "warn",
          what,
          meaning: `Only ${left} more can be opened on this machine. Close sessions, or raise the limit: sysctl kernel.pty.max=4096.`,
        };
  } catch (error) {
    return {
      check,
      verdict: "warn",
      what: reasonOf(error),
      meaning: "The number of free terminals is unknown. A session that finds none reports it.",
    };
  }
}

async function readNumber(file: string): Promise<number> {
  const number = Number.parseInt(await readFile(file, "utf8"), 10);
  if (Number.isNaN(number)) throw new Error(`${file} does not contain a number`);
  return number;
}
