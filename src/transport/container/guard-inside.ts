/**
 * Ends the programs in a container if this process dies. A program there outlives its client, and a host that is killed
 * cannot end anything. So a shell waits on a pipe whose only writer is this process.
 *
 * The shell runs in its own kernel session, outside the process group, the control group and the terminal of the
 * session that it guards. So no signal or key that is meant for that session reaches the shell.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { LimpetError } from "../../base/limpet-error.ts";
import { enterHome } from "../../pty/group-root.ts";
import { engineEnv } from "../env/child-env.ts";
import { SWEEP_SCRIPT } from "./sweep-script.ts";

/** The pause between two signals to the remaining programs. */
const SWEEP_SECONDS = "0.3";

interface Guarded {
  readonly mark: string;
  /**
   * The command that ends the programs if they are not visible on this machine. Its words must not contain special
   * characters of the shell.
   */
  readonly endInside: readonly string[] | undefined;
}

export interface InsideGuard {
  /** Call when nothing runs inside any more. Releasing twice is fine. */
  release(): void;
}

export async function guardInside({ mark, endInside }: Guarded): Promise<InsideGuard> {
  const sweep = endInside ? endInside.join(" ") : '/bin/sh -c "$sweep" sh "$mark" "$pause"';
  const script = `sweep=$1 mark=$2 pause=$3; read -r over && exit 0; ${sweep} </dev/null`;
  const shell = spawn("/bin/sh", ["-c", script, "sh", SWEEP_SCRIPT, mark, SWEEP_SECONDS], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: engineEnv(),
  });
  // This process may be in the control group of the next session, which the shell must leave.
  if (shell.pid !== undefined) enterHome(shell.pid);
  await new Promise<void>((resolve, reject) => {
    shell.once("spawn", resolve);
    shell.once("error", (cause) => reject(notStarted(cause)));
  });
  const { stdin } = shell;
  stdin.on("error", () => undefined);
  shell.unref();
  // Pipes of a child process are sockets.
  (stdin as unknown as Socket).unref();
  return { release: () => void (stdin.writable && stdin.end("over\n")) };
}

function notStarted(cause: Error): LimpetError {
  return new LimpetError(
    "RESOURCE_EXHAUSTED",
    `The process that ends programs in the container after a crash did not start (${cause.message}). Close sessions, or raise the limits of this user (ulimit -u, -n).`,
    { cause },
  );
}
