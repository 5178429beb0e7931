/** Starts bwrap, which makes namespaces and stays beside a process that is in them. Both end when its input ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { withTimeout } from "../../../base/async/with-timeout.ts";
import { enterHome } from "../../../pty/group-root.ts";
import { notMade } from "./namespace-tools.ts";

/** Making namespaces takes some 20 ms. */
const PATIENCE_MS = 10_000;
/** In what bwrap writes about itself. */
const PID = /"child-pid":\s*(\d+)\b/;

interface Started {
  readonly process: ChildProcess;
  /** Of the process in the namespaces. */
  readonly pid: number;
}

/** Resolves when everything is mounted. `args` make bwrap run `cat`, and write about itself to descriptor 3. */
export async function startBwrap(file: string, args: readonly string[]): Promise<Started> {
  const child = spawn(file, args, {
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  if (child.pid !== undefined) enterHome(child.pid);
  const [stdin, stdout, stderr, info] = child.stdio as unknown as [Writable, Readable, Readable, Readable];
  const said = collect(stderr);
  const about = collect(info);
  stdin.on("error", () => undefined);
  // `cat` repeats it as soon as it runs, which is after the last mount.
  stdin.write("\n");
  const failed = once(child, "close").then(
    () => ({ reason: said().trim() || "it ended" }),
    (error: Error) => ({ reason: error.message }),
  );
  const ready = Promise.all([once(stdout, "data"), untilMatch(info, about)]).then(([, pid]) => ({ pid }));
  const outcome = await withTimeout(PATIENCE_MS, Promise.race([ready, failed]));
  if (!outcome || "reason" in outcome) {
    child.kill("SIGKILL");
    throw notMade(outcome?.reason ?? "it does not answer");
  }
  const { pid } = outcome;
  // A process on standby is in the control group of its next program, which its children inherit.
  for (const each of [child.pid ?? pid, pid]) enterHome(each);
  child.unref();
  for (const stream of [stdin, stdout, stderr, info]) (stream as Readable & { unref?: () => void }).unref?.();
  return { process: child, pid };
}

/** What has arrived so far. */
function collect(stream: Readable): () => string {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

async function untilMatch(stream: Readable, text: () => string): Promise<number> {
  for (;;) {
    const pid = PID.exec(text())?.[1];
    if (pid !== undefined) return Number(pid);
    await once(stream, "data");
  }
}
