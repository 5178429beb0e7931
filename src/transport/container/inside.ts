/**
 * A program in a container: its processes, and how to signal and end them. If the container shares the kernel of this
 * machine, this works through the kernel, otherwise with a script inside the container.
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
  /** A value of `performance.now()`, which is read again in each round. */
  readonly killAtMs: () => number;
  readonly firstSignal: FirstSignal | undefined;
}

export interface Inside {
  /** The pid on this machine. Null if the program has ended, or if the container has another kernel. */
  readonly pid: number | null;
  /** Undefined if the processes are not visible on this machine. */
  readonly tree: ProcessTree | undefined;
  signal(name: NodeJS.Signals, target: SignalTarget, hasExited: boolean): Promise<boolean>;
  /** Ends the program and everything that it started. */
  end(ending: Ending): Promise<EndReport>;
}

/**
 * A program that ended before it was found, and the processes that it left. `client`: the pid of its client, which has
 * ended.
 */
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

/** A program whose processes are visible on this machine. */
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

/** The script sends up to three different signals. */
const STEPS = 3;
const MIN_STEP_SECONDS = 0.1;

/** A program whose processes are not visible on this machine. */
export function hiddenInside(container: Container, mark: string): Inside {
  return {
    pid: null,
    tree: undefined,
    // No signal can be sent from outside. The caller can type Ctrl+C for the foreground.
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
