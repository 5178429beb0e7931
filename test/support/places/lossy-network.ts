/** A network of its own for a server, in which all packets can get lost without a word. */
import { execFileSync, spawn } from "node:child_process";
import { readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { until } from "../sessions.ts";
import { temporaryDirectory } from "../watching.ts";

export interface LossyNetwork {
  /** Words before a program that runs inside of it. */
  readonly inside: readonly string[];
  /** A line of ssh_config(5) that leads into it. */
  readonly proxyCommand: string;
  drop(): void;
  heal(): void;
}

const RELAY = `import { connect } from "node:net";
const socket = connect(Number(process.argv[2]), "127.0.0.1");
process.stdin.pipe(socket).pipe(process.stdout);
socket.on("error", () => process.exit(1)).on("close", () => process.exit(0));
`;

/** Needs root, `ip` and `iptables`. It goes with the test. */
export async function lossyNetwork(): Promise<LossyNetwork> {
  const holder = spawn("unshare", ["-n", "sleep", "infinity"], { stdio: "ignore" });
  onTestFinished(() => void holder.kill("SIGKILL"));
  const pid = holder.pid as number;
  const own = readlinkSync("/proc/self/ns/net");
  await until(() => readlinkSync(`/proc/${pid}/ns/net`) !== own, "the network is there");
  const inside = ["nsenter", "-t", String(pid), "-n"];
  const [nsenter = "", ...words] = inside;
  const run = (...command: readonly string[]) =>
    void execFileSync(nsenter, [...words, ...command], { timeout: 20_000 });
  run("ip", "link", "set", "lo", "up");
  const relay = join(temporaryDirectory(), "relay.mjs");
  writeFileSync(relay, RELAY);
  return {
    inside,
    proxyCommand: `ProxyCommand ${inside.join(" ")} ${process.execPath} ${relay} %p`,
    drop: () => run("iptables", "-I", "INPUT", "-j", "DROP"),
    heal: () => run("iptables", "-F", "INPUT"),
  };
}
