/** Runs ssh without output. False if it failed or took too long. */
import { spawn } from "node:child_process";
import { unattendedEnv } from "../../transport/env/child-env.ts";

export interface CallOptions {
  readonly cwd?: string;
  readonly timeoutMs: number;
}

export async function callSsh([program = "", ...args]: readonly string[], options: CallOptions): Promise<boolean> {
  const { cwd, timeoutMs } = options;
  return await new Promise((resolve) => {
    const ssh = spawn(program, args, {
      stdio: "ignore",
      detached: true,
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      env: unattendedEnv(),
      ...(cwd === undefined ? {} : { cwd }),
    });
    ssh.on("error", () => resolve(false));
    ssh.on("exit", (code) => resolve(code === 0));
  });
}
