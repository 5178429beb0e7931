/** Connects to the host of a state directory. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type EnvProvider, type HostClient, hostClient } from "./host-client.ts";
import type { Connect } from "./host-link.ts";

/** Which host to use, and how to start it. */
export interface ConnectOptions {
  /** Created if it does not exist. Other users must not be able to read it. */
  readonly stateDirectory: string;
  /** The command that starts a host. Default: `limpet host run` of this package. */
  readonly command?: readonly [program: string, ...args: string[]];
  /** The environment for programs. Default: the variables of this process that do not look like secrets. */
  readonly env?: EnvProvider;
}

/** The path is the same from dist/chunks and from dist/bin. */
const MAIN = fileURLToPath(new URL("../bin/main.js", import.meta.url));

/** The sessions of a host. The first call connects, and starts the host if none runs. */
export function connectHost({ command = [process.execPath, MAIN], ...options }: ConnectOptions): HostClient {
  // The host starts in another directory.
  const stateDirectory = resolve(options.stateDirectory);
  const connect: Connect = async ({ mayStart }) => {
    // Loaded at the first call, because sockets and child processes are slow to load and a server must answer soon.
    const { reachHost } = await import("./reach-host.ts");
    return await reachHost(stateDirectory, mayStart ? { startWith: command } : {});
  };
  return hostClient(connect, { stateDirectory, ...(options.env ? { env: options.env } : {}) });
}
