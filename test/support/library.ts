/** Terminals of the library, in this process and in a host. */
import { connect, type Host } from "../../src/index.ts";
import { hostDirectory } from "./host/host.ts";
import { MAIN } from "./mcp.ts";
import type { OnEnd } from "./watching.ts";

export const plain = { shell: "/bin/bash" };
export const PATIENT = { timeoutMs: 20_000 };

export type Terminals = Pick<Host, "open" | "run" | "openShell">;

export async function hostUntil(onEnd: OnEnd): Promise<Host> {
  const host = await connect({ stateDirectory: hostDirectory(onEnd), command: [process.execPath, MAIN] });
  onEnd(async () => {
    await host.stop();
    await host.close();
  });
  return host;
}
