/** `limpet mcp --http` in a process of its own, with a state directory and tokens of its own. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Connected, connectTo, type Era, MAIN } from "../mcp.ts";

export interface LimpetMcpHttp extends AsyncDisposable {
  readonly url: URL;
  readonly state: string;
  pid(): number;
  /** A command of limpet with the same state directory. Resolves with what it printed. */
  limpet(...words: string[]): Promise<string>;
  /** A new token. `flags` such as `--scope view`. */
  token(name: string, ...flags: string[]): Promise<string>;
  transport(token: string): StreamableHTTPClientTransport;
  close(): Promise<void>;
}

export async function startMcpHttp(flags: readonly string[]): Promise<LimpetMcpHttp> {
  const state = mkdtempSync(join(tmpdir(), "limpet-mcp-"));
  const env = { ...process.env, LIMPET_HOME: state };
  const child = spawn(process.execPath, [MAIN, "mcp", "--http", "--port", "0", ...flags], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    ended.then(() => Promise.reject(new Error("limpet mcp --http has ended."))),
  ])) as [string];
  const url = new URL(line);
  const limpet = async (...words: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words], { env });
    return stdout.trim();
  };
  const close = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(state, { recursive: true, force: true });
  };
  return {
    url,
    state,
    pid: () => child.pid ?? -1,
    limpet,
    token: (name, ...given) => limpet("token", "create", name, ...given),
    transport: (token) =>
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A server of its own, and the official client of it. */
export async function connectHttp(era: Era): Promise<Connected> {
  const server = await startMcpHttp(["--in-process", "--structured"]);
  return await connectTo(era, server.transport(await server.token("test")), server);
}
