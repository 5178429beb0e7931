/** Whether this process can connect the sockets of programs in a sandbox for them, which a list of hosts requires. */
import { LimpetError } from "../../../base/limpet-error.ts";
import { readShortProcFile } from "../../../linux/proc-file.ts";
import { canTakeDescriptors } from "../../../linux/take-descriptor.ts";

export interface TraceFacts {
  /** `kernel.yama.ptrace_scope`, 0 if there is none. From 2 on, access to other processes needs a capability. */
  readonly scope: number;
  /** Whether this process has that capability, CAP_SYS_PTRACE. */
  readonly isCapable: boolean;
  /** Whether the system lets a process take descriptors at all. */
  readonly canTake: boolean;
}

const YAMA = "/proc/sys/kernel/yama/ptrace_scope";
const CAP_SYS_PTRACE = 19n;

/** Throws `SANDBOX_UNAVAILABLE`. */
export function requireConnects(): void {
  const obstacle = connectObstacle(traceFacts());
  if (!obstacle) return;
  const next = `${obstacle.fix}, or set its network to "on" or "off".`;
  throw new LimpetError(
    "SANDBOX_UNAVAILABLE",
    `A sandbox with a list of hosts is not available: ${obstacle.reason}. ${next[0]?.toUpperCase()}${next.slice(1)}`,
  );
}

/** What is in the way, and how to remove it, each as part of a sentence. */
export interface ConnectObstacle {
  readonly reason: string;
  readonly fix: string;
}

/** Pure. Undefined if nothing is. */
export function connectObstacle({ scope, isCapable, canTake }: TraceFacts): ConnectObstacle | undefined {
  if (!canTake)
    return {
      reason: "the system call pidfd_getfd is refused here",
      fix: "allow it in the settings of the container, such as with the capability SYS_PTRACE",
    };
  if (scope < 2 || (scope === 2 && isCapable)) return undefined;
  return { reason: `kernel.yama.ptrace_scope is ${scope}`, fix: "set kernel.yama.ptrace_scope to 1" };
}

export function traceFacts(): TraceFacts {
  const capabilities = /^CapEff:\s*([\da-f]+)$/m.exec(readShortProcFile("/proc/self/status") ?? "")?.[1] ?? "0";
  return {
    scope: Number(readShortProcFile(YAMA)?.trim() ?? 0),
    isCapable: ((BigInt(`0x${capabilities}`) >> CAP_SYS_PTRACE) & 1n) === 1n,
    canTake: canTakeDescriptors(),
  };
}
