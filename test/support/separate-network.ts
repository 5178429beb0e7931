/** A separate network, in which a test can drop all packets silently, as when a cable is pulled. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readlinkSync } from "node:fs";
import { until } from "./sessions.ts";

export interface SeparateNetwork {
  /** Words before a program that runs inside of it. */
  readonly inside: readonly [string, ...string[]];
  /** Keeps the network. It goes with this process and those inside. */
  readonly holder: ChildProcess;
  drop(): void;
  heal(): void;
}

/** Needs root, `ip` and `iptables`. End the holder after the tests. */
export async function separateNetwork(): Promise<SeparateNetwork> {
  const holder = spawn("unshare", ["-n", "sleep", "infinity"], { stdio: "ignore" });
  const pid = holder.pid as number;
  const own = readlinkSync("/proc/self/ns/net");
  await until(() => readlinkSync(`/proc/${pid}/ns/net`) !== own, "the network is there");
  const inside = ["nsenter", "-t", String(pid), "-n"] as const;
  const [nsenter, ...words] = inside;
  const run = (...command: readonly string[]) =>
    void execFileSync(nsenter, [...words, ...command], { timeout: 60_000 });
  run("ip", "link", "set", "lo", "up");
  return {
    inside,
    holder,
    drop: () => run("iptables", "-I", "INPUT", "-j", "DROP"),
    heal: () => run("iptables", "-F", "INPUT"),
  };
}
