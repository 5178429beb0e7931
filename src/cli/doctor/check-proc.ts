import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Finding, reasonOf } from "./finding.ts";

const check = "/proc";

/** Whether the kernel tells what a program of ours waits in: `syscall` says in what, `schedstat` whether it has run since. */
export async function checkProc(proc: string): Promise<Finding> {
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(child, "close");
  try {
    await once(child, "spawn");
    await Promise.all(["syscall", "schedstat"].map((name) => readFile(join(proc, String(child.pid), name))));
    return {
      check,
      verdict: "ok",
      what: "syscall and schedstat of an own program can be read",
      meaning: "A call returns the moment a program waits for input.",
    };
  } catch (error) {
    return {
      check,
      verdict: "warn",
      what: reasonOf(error),
      meaning:
        "Whether a program waits for input stays unknown, and calls last until their deadline. " +
        "Mount /proc without hidepid, and allow reading syscall (CAP_SYS_PTRACE, or kernel.yama.ptrace_scope below 2).",
    };
  } finally {
    child.stdin.end();
    await ended.catch(() => undefined);
  }
}
