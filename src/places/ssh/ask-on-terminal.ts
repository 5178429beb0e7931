/** Lets ssh prompt the person at the terminal of this process. */
import { spawn } from "node:child_process";
import type { SshRefusal } from "./ask-person.ts";
import { loginArgv } from "./ssh-argv.ts";

/** Rejects with the error of ssh if the login fails, or if the terminal is in use for something else. */
export async function askOnTerminal({ ways, error, signal }: SshRefusal): Promise<void> {
  const { stdin, stderr } = process;
  if (!stderr.isTTY || stdin.isRaw) throw error;
  ways.prepare();
  const [program = "", ...args] = loginArgv(ways.target, ways.socket);
  // ssh opens /dev/tty itself for its prompts.
  const ssh = spawn(program, args, {
    stdio: ["ignore", "ignore", "inherit"],
    cwd: ways.directory,
    ...(signal ? { signal } : {}),
  });
  const code = await new Promise<number | null>((resolve) => {
    ssh.on("error", () => resolve(null));
    ssh.on("exit", resolve);
  });
  if (code !== 0) throw error;
}
