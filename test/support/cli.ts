/** `limpet` as a person runs it, with a host and a state directory of its own. */
import { type ChildProcess, execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHost } from "../../src/host/client/connect-host.ts";
import type { HostClient } from "../../src/host/client/host-client.ts";
import type { SessionKey } from "../../src/service/listing/session-name.ts";
import { sweepShellFiles } from "../../src/shell/frame/sweep-shell-files.ts";
import { endHostsBelow } from "./host/end-hosts.ts";
import { MAIN } from "./mcp.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Closeable {
  close(): Promise<unknown>;
}

export interface Cli extends AsyncDisposable {
  /** For files of the test. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** As one types it in a shell. */
  readonly command: string;
  /** Without a terminal. `input` comes on stdin, `env` is added to the environment. */
  limpet(words: readonly string[], input?: string, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Of a command that must succeed. */
  stdout(...words: string[]): Promise<string>;
  /** Of a command with --json. */
  json(...words: string[]): Promise<unknown>;
  /** Writes config.json. */
  configure(config: object): void;
  readonly sessions: HostClient;
  /** Without a process of the command line: waits until a session has printed it. Carriage returns do not count. */
  printed(key: SessionKey, pattern: RegExp): Promise<void>;
  /** The same for ending sessions, in any state. */
  end(...keys: readonly SessionKey[]): Promise<void>;
  hostPid(): Promise<number>;
  /** Ends the client before the host is stopped: a client that is still connected may start another host. */
  closeFirst(client: Closeable | ChildProcess): void;
}

export function openCli(): Cli {
  const folder = mkdtempSync(join(tmpdir(), "limpet-cli-"));
  const env = {
    LIMPET_HOME: join(folder, "state"),
    SHELL: "/bin/bash",
    XDG_CONFIG_HOME: join(folder, "config"),
  };
  const sessions = connectHost({ stateDirectory: env.LIMPET_HOME, command: [process.execPath, MAIN], reach: "user" });
  // A test that timed out may still run. A command that it starts then would start a host that nobody ends.
  const running = new Set<ChildProcess>();
  const clients: Closeable[] = [];
  let isClosed = false;
  const limpet: Cli["limpet"] = (words, input, added = {}) =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error(`limpet ${words.join(" ")} came after the end of the test.`));
      const options = { env: { ...process.env, ...env, ...added }, cwd: folder, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, [MAIN, ...words], options, (error, stdout, stderr) => {
        running.delete(child);
        resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr });
      });
      running.add(child);
      // A command that reads no input may end first.
      child.stdin?.on("error", () => undefined).end(input ?? "");
    });
  const stdoutOf: Cli["stdout"] = async (...words) => {
    const { code, stdout, stderr } = await limpet(words);
    if (code !== 0) throw new Error(`limpet ${words.join(" ")} gave ${code}: ${stderr}`);
    return stdout;
  };
  return {
    folder,
    env,
    command: `${process.execPath} ${MAIN}`,
    limpet,
    stdout: stdoutOf,
    json: async (...words) => JSON.parse(await stdoutOf(...words, "--json")) as unknown,
    configure(config) {
      mkdirSync(join(env.XDG_CONFIG_HOME, "limpet"), { recursive: true });
      writeFileSync(join(env.XDG_CONFIG_HOME, "limpet", "config.json"), JSON.stringify(config));
    },
    sessions,
    async printed(key, pattern) {
      let text = "";
      for await (const { bytes } of sessions.output(key, { from: 0 })) {
        text += Buffer.from(bytes).toString("latin1").replaceAll("\r", "");
        if (pattern.test(text)) return;
      }
      throw new Error(`Session ${key} has ended without ${pattern}: ${JSON.stringify(text.slice(-500))}`);
    },
    async end(...keys) {
      for (const key of keys) await sessions.close(key, { force: true });
    },
    async hostPid() {
      const status = await sessions.hostStatus();
      if (!status) throw new Error("No host runs.");
      return status.pid;
    },
    closeFirst(client) {
      if ("close" in client) clients.push(client);
      else running.add(client);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      sessions.disconnect();
      for (const client of clients) await client.close().catch(() => undefined);
      for (const child of running) child.kill("SIGKILL");
      await sessions.stopHost().catch(() => false);
      await endHostsBelow(folder);
      // A test may have killed the host.
      await sweepShellFiles();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
