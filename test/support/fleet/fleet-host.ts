/** A host of a fleet as a process of its own, which a test can stop, kill and start again. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sweepShellFiles } from "../../../src/shell/frame/sweep-shell-files.ts";
import { MAIN } from "../mcp.ts";

export interface FleetHostProcess {
  readonly name: string;
  readonly stateDirectory: string;
  readonly pid: number;
  /** What it has printed so far. */
  readonly log: string;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Again, in the same directory. */
  start(): void;
  close(): Promise<void>;
}

interface HostOptions {
  readonly url: string;
  readonly name: string;
  readonly labels?: readonly string[];
  /** Default: that of another host, or a new one. */
  readonly stateDirectory?: string;
  /** Default: as long as a busy machine takes to renew a lease, several times over. */
  readonly leaseSeconds?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** More words of its command line. */
  readonly words?: readonly string[];
  /** Words before its command line, such as those that lead into a network. */
  readonly inside?: readonly string[];
}

/** Close it after the test. */
export function startFleetHost(options: HostOptions): FleetHostProcess {
  const { url, name, labels = [], leaseSeconds = 9, env = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), "limpet-fleet-host-"));
  const stateDirectory = options.stateDirectory ?? join(folder, "state");
  const more = options.words ?? [];
  const words = ["--join", url, "--name", name, ...labels.flatMap((label) => ["--label", label]), ...more];
  let child: ChildProcess | undefined;
  let log = "";
  const start = () => {
    const run = [MAIN, "host", "run", "--state", stateDirectory, ...words, "--lease", String(leaseSeconds)];
    const [program = "", ...args] = [...(options.inside ?? []), process.execPath, ...run];
    const stdio: StdioOptions = ["ignore", "ignore", "pipe"];
    child = spawn(program, args, { stdio, env: { ...process.env, ...env }, cwd: folder });
    child.stderr?.on("data", (chunk) => {
      log += chunk;
    });
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  start();
  return {
    name,
    stateDirectory,
    get pid() {
      return child?.pid as number;
    },
    get log() {
      return log;
    },
    signal: (signal) => void child?.kill(signal),
    kill: () => end("SIGKILL"),
    start,
    async close() {
      child?.kill("SIGCONT");
      await end("SIGTERM");
      await sweepShellFiles();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}
