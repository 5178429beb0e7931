/** Runs a program that prints a secret or takes one, bounded in time and output. No error contains its output. */
import { spawn } from "node:child_process";
import { LimpetError } from "../../base/limpet-error.ts";
import { homeMembers } from "../../pty/group-root.ts";
import { visibleLine } from "../../text/clean/quote-line.ts";
import { MAX_SECRET_BYTES } from "./secret-source.ts";

/** Long enough to unlock a keyring in a window. */
const PATIENCE_MS = 60_000;

/**
 * A host may be in the control group of the next program that it starts. A key agent that the command starts would end
 * with that group, so the command leaves it first: descriptor 3 is the list of members of the host's own group.
 */
const LEAVE_GROUP = '{ echo $$ >&3; } 2>/dev/null; exec 3>&-; exec "$@"';

interface CommandOptions {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What it reads. Default: nothing. */
  readonly input?: string;
  readonly limitMs?: number;
}

/** What it printed. Rejects with `SECRET_UNAVAILABLE` if it fails. */
export async function runSecretCommand(options: CommandOptions): Promise<Buffer> {
  const { command, env, input, limitMs = PATIENCE_MS } = options;
  const child = spawn("/bin/sh", ["-c", LEAVE_GROUP, "sh", ...command], {
    cwd: "/",
    env,
    // In a process group of its own, so that what it starts can be ended with it.
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore", homeMembers() ?? "ignore"],
  });
  const failed = (how: string) => unavailable(command, how);
  return await new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => end(failed(`took longer than ${limitMs / 1000} s`)), limitMs);
    const end = (error: LimpetError) => {
      clearTimeout(timer);
      endGroup(child.pid);
      reject(error);
    };
    child.stdout?.on("data", (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes > MAX_SECRET_BYTES) end(failed(`printed more than ${MAX_SECRET_BYTES} bytes`));
    });
    child.once("error", () => end(failed("could not be started")));
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(failed(code === null ? `was killed by ${signal}` : `exited with code ${code}`));
    });
    // It need not read its input.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Names the program only: its arguments may say where secrets are. */
function unavailable([program = ""]: readonly string[], how: string): LimpetError {
  return new LimpetError(
    "SECRET_UNAVAILABLE",
    `${visibleLine(program)} ${how}. Run it yourself to see why, or set another source in config.json.`,
  );
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
