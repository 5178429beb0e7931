/**
 * What is known of a program in a container, and what can be done to it: through the kernel, if it is that of this
 * machine, else by a script inside.
 */
import { constants } from "node:os";
import { libc } from "../../linux/libc.ts";
import type { EndReport, FirstSignal } from "../../linux/processes/kill-process-tree.ts";
import { killProcessTree } from "../../linux/processes/kill-process-tree.ts";
import { ProcessTree } from "../../linux/processes/process-tree.ts";
import { readProcess } from "../../linux/processes/processes.ts";
import { sendSignal } from "../local/send-signal.ts";
import type { SignalTarget } from "../transport.ts";
import { type Container, execArgv } from "./container.ts";
import { runTool } from "./run-tool.ts";
import { SWEEP_SCRIPT, sweptProcesses } from "./sweep-script.ts";

interface Ending {
  /** A time of `performance.now()`, read again in each round. */
  readonly killAtMs: () => number;
  readonly firstSignal: FirstSignal | undefined;
}

export interface Inside {
  /** On this machine; null if it has ended, or if the kernel of the container is another one. */
  readonly pid: number | null;
  /** Undefined if this machine does not show the processes. */
  readonly tree: ProcessTree | undefined;
  signal(name: NodeJS.Signals, target: SignalTarget, hasExited: boolean): Promise<boolean>;
  /** Ends the program and everything that it started. */
  end(ending: Ending): Promise<EndReport>;
}

/** A program that has ended before it was found, and what it left. `client`: the pid of its client, which has ended. */
export function endedInside(client: number, mark: string): Inside {
  const tree = new ProcessTree({ pid: client, mark });
  tree.programReaped();
  return {
    pid: null,
    tree,
    signal: async (name, target) =>
      await sendSignal(name, target, { pid: client, tree, master: undefined, hasExited: true, rivals: () => [] }),
    end: async ({ killAtMs, firstSignal }) => await killProcessTree(tree, killAtMs, firstSignal),
  };
}

/** The processes of a container on this machine. */
export function visibleInside(pid: number, mark: string): Inside {
  const tree = new ProcessTree({ pid, mark });
  return {
    pid,
    tree,
    signal: async (name, target, hasExited) => {
      if (target !== "foreground")
        return await sendSignal(name, target, { pid, tree, master: undefined, hasExited, rivals: () => [] });
      const group = readProcess(pid)?.foregroundGroup ?? -1;
      return libc.kill(group > 0 ? -group : -pid, constants.signals[name]) === 0;
    },
    end: async ({ killAtMs, firstSignal }) => await killProcessTree(tree, killAtMs, firstSignal),
  };
}

/** Three signals. */
const STEPS = 3;
const MIN_STEP_SECONDS = 0.1;

/** The processes of a container that this machine does not show. */
export function hiddenInside(container: Container, mark: string): Inside {
  return {
    pid: null,
    tree: undefined,
    // The key Ctrl+C reaches the foreground; nothing else can be told apart from outside.
    signal: async () => false,
    end: async ({ killAtMs }) => {
      const graceSeconds = Math.max(0, killAtMs() - performance.now()) / 1000;
      const step = Math.max(MIN_STEP_SECONDS, graceSeconds / STEPS).toFixed(2);
      const { code, stdout } = await runTool(
        execArgv(container, ["/bin/sh", "-c", SWEEP_SCRIPT, "sh", mark, step]),
        Math.ceil(graceSeconds * 1000) + 30_000,
      );
      return { ended: sweptProcesses(stdout), by: code === 0 ? "inside" : "unknown", left: [] };
    },
  };
}
