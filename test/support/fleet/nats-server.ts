/** A nats-server on a free port of the loopback address, which can be killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProcess } from "../../../src/linux/processes/processes.ts";
import { until } from "../sessions.ts";

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** For files of the test. */
  readonly folder: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  /** Forgets all that it stored. It must not run. */
  empty(): void;
  /** Reads another configuration while it runs. */
  reload(config: string): void;
  /** SIGSTOP: resolves when it has stopped. */
  pause(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}

interface NatsOptions {
  readonly hasJetStream?: boolean;
  /** Lines of its configuration. */
  readonly config?: (folder: string) => string;
}

/** Close it after the tests. */
export async function startNats({ hasJetStream = true, config = () => "" }: NatsOptions = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), "limpet-nats-"));
  const [store, file, ports] = [join(folder, "store"), join(folder, "nats.conf"), join(folder, "ports")];
  mkdirSync(ports);
  writeFileSync(file, config(folder));
  let child: ChildProcess | undefined;
  let port = -1;
  const start = async () => {
    const stored = hasJetStream ? ["--jetstream", "--store_dir", store] : [];
    const words = [
      "--config",
      file,
      "--addr",
      "127.0.0.1",
      "--port",
      String(port),
      "--ports_file_dir",
      ports,
      ...stored,
    ];
    child = spawn("nats-server", words, { stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    child.stderr?.on("data", (chunk) => {
      log += chunk;
    });
    const own = child;
    await until(
      () => {
        if (own.exitCode !== null) throw new Error(`nats-server ended: ${log}`);
        port = port > 0 ? port : Number(/Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(log)?.[1] ?? -1);
        return log.includes("Server is ready") && port > 0;
      },
      () => `nats-server is ready: ${log}`,
      60_000,
    );
    await until(() => accepts(port), "nats-server accepts connections", 60_000);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    get url() {
      return `nats://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    folder,
    kill,
    start,
    empty: () => rmSync(store, { recursive: true, force: true }),
    reload(text) {
      writeFileSync(file, text);
      child?.kill("SIGHUP");
    },
    async pause() {
      child?.kill("SIGSTOP");
      await until(() => readProcess(child?.pid ?? 0)?.state === "T", "nats-server is stopped", 20_000);
    },
    resume: () => void child?.kill("SIGCONT"),
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
