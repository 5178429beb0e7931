/** The sessions of a host, for those who know its state directory. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Connect, type HostClient, hostClient } from "./host-client.ts";

/** Which host, and what starts it. */
export interface ConnectOptions {
  /** Made if need be; nobody else may be able to look into it. */
  readonly stateDirectory: string;
  /** What to run as a host. Default: `limpet host run` of this package. */
  readonly command?: readonly [program: string, ...args: string[]];
}

/** From dist/chunks and from dist/bin alike. */
const MAIN = fileURLToPath(new URL("../bin/main.js", import.meta.url));

/** The sessions of a host, which is reached at the first call, and started if need be. */
export function connectHost({ command = [process.execPath, MAIN], ...options }: ConnectOptions): HostClient {
  // A host is started in another directory than ours.
  const stateDirectory = resolve(options.stateDirectory);
  const connect: Connect = async ({ mayStart }) => {
    // Loaded at the first call: a server must answer soon, and sockets and child processes are much to load.
    const { reachHost } = await import("./reach-host.ts");
    return await reachHost(stateDirectory, mayStart ? { startWith: command } : {});
  };
  return hostClient(connect, stateDirectory);
}
