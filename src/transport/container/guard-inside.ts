/**
 * Ends what runs in a container if this process dies. A program there outlives its client, and a host that is killed
 * ends nothing any more. So a shell waits at a pipe whose only writer is this process.
 *
 * The shell is a session of its own and not part of the one that it guards: no signal to the process group or the
 * control group of that one reaches it, nor does a key in its terminal.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { LimpetError } from "../../base/limpet-error.ts";
import { enterHome } from "../../pty/group-root.ts";
import { engineEnv } from "../env/child-env.ts";
import { SWEEP_SCRIPT } from "./sweep-script.ts";

/** Between two signals to programs that were left. */
const SWEEP_SECONDS = "0.3";

interface Guarded {
  readonly mark: string;
  /** Ends what runs inside, if that is not visible on this machine: words without special characters. */
  readonly endInside: readonly string[] | undefined;
}

export interface InsideGuard {
  /** Nothing runs inside any more. Releasing twice is fine. */
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
  // This process may stand by in the group of the next session.
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
