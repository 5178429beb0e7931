/** Parses `/proc/PID/syscall`: the system call a thread is blocked in. */

/**
 * How long a call waits at most: milliseconds, or the address of a time in the memory of that process. `none`: without
 * a limit.
 */
export type Timeout =
  | { readonly kind: "none" }
  | { readonly kind: "ms"; readonly ms: number }
  | { readonly kind: "at"; readonly at: bigint };

/** The call in which a thread is blocked. `at`: an address in the memory of its process. */
export type BlockedIn =
  | { readonly call: "read"; readonly fd: number }
  | { readonly call: "poll"; readonly at: bigint; readonly count: number; readonly timeout: Timeout }
  | { readonly call: "select"; readonly at: bigint; readonly count: number; readonly timeout: Timeout }
  | { readonly call: "epoll"; readonly fd: number; readonly timeout: Timeout };

/**
 * `sendfile`, which busybox uses to copy, reads from its second file. The calls with `-at` have the address of a time.
 */
type Call = BlockedIn["call"] | "sendfile" | "poll-at" | "epoll-at";

const CALLS: Readonly<Record<string, Readonly<Record<number, Call>>>> = {
  x64: {
    0: "read",
    19: "read",
    40: "sendfile",
    7: "poll",
    271: "poll-at",
    23: "select",
    270: "select",
    232: "epoll",
    281: "epoll",
    441: "epoll-at",
  },
  arm64: { 63: "read", 65: "read", 71: "sendfile", 73: "poll-at", 72: "select", 22: "epoll", 441: "epoll-at" },
};

/** The call number, then its arguments. */
const BLOCKED = /^(\d+) (0x[0-9a-f]+) (0x[0-9a-f]+)(?: (0x[0-9a-f]+))?(?: (0x[0-9a-f]+))?(?: (0x[0-9a-f]+))?/;
/** A larger set is not a plausible list of files to wait for. */
const MOST_FILES = 4096;

/** The line is "running", "-1 …" outside of a call, or the call number and its arguments. */
export function parseSyscall(line: string, arch: string): BlockedIn | undefined {
  const [, number, first = "0x0", second = "0x0", third = "0x0", fourth = "0x0", fifth = "0x0"] =
    BLOCKED.exec(line) ?? [];
  const call = number === undefined ? undefined : CALLS[arch]?.[Number(number)];
  if (call === undefined) return undefined;
  switch (call) {
    case "read":
      return { call, fd: toInt(first) };
    case "sendfile":
      return { call: "read", fd: toInt(second) };
    case "epoll":
      return { call, fd: toInt(first), timeout: msOf(fourth) };
    case "epoll-at":
      return { call: "epoll", fd: toInt(first), timeout: addressOf(fourth) };
    case "poll":
      return { call, at: BigInt(first), count: countOf(second), timeout: msOf(third) };
    case "poll-at":
      return { call: "poll", at: BigInt(first), count: countOf(second), timeout: addressOf(third) };
    case "select":
      return { call, at: BigInt(second), count: countOf(first), timeout: addressOf(fifth) };
  }
}

/** Only the lower half of the register counts. */
function toInt(register: string): number {
  return Number(BigInt.asIntN(32, BigInt(register)));
}

function countOf(register: string): number {
  return Math.min(Number(BigInt(register)), MOST_FILES);
}

/** A negative time means no limit. */
function msOf(register: string): Timeout {
  const ms = toInt(register);
  return ms < 0 ? { kind: "none" } : { kind: "ms", ms };
}

function addressOf(register: string): Timeout {
  const at = BigInt(register);
  return at === 0n ? { kind: "none" } : { kind: "at", at };
}
