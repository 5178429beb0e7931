import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Finding, reasonOf } from "./finding.ts";

const check = "/proc";

/**
 * Whether the kernel shows which system call our programs wait in (`syscall`), and whether they ran since
 * (`schedstat`).
 */
export async function checkProc(proc: string): Promise<Finding> {
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(child, "close");
  try {
    await once(child, "spawn");
    await Promise.all(["syscall", "schedstat"].map((name) => readFile(join(proc, String(child.pid), name))));
    return {
      check,
      verdict: "ok",
      what: "can read syscall and schedstat of own processes",
      meaning: "Calls return as soon as a program waits for input.",
    };
  } catch (error) {
    return {
      check,
      verdict: "warn",
      what: reasonOf(error),
      meaning:
        "limpet cannot tell whether a program waits for input, so calls last until their deadline. " +
        "To fix this, mount /proc without hidepid and allow reading syscall (CAP_SYS_PTRACE, or kernel.yama.ptrace_scope below 2).",
    };
  } finally {
    child.stdin.end();
    await ended.catch(() => undefined);
  }
}
