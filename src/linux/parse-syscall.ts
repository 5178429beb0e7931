/** Parses `/proc/PID/syscall`: the system call a thread is blocked in. */

/** `at` is an address in the memory of that process. */
export type BlockedIn =
  | { readonly call: "read"; readonly fd: number }
  | { readonly call: "poll"; readonly at: bigint; readonly count: number }
  | { readonly call: "select"; readonly at: bigint; readonly count: number }
  | { readonly call: "epoll"; readonly fd: number };

/** `sendfile` reads from its second file. busybox copies with it. */
type Call = BlockedIn["call"] | "sendfile";

const CALLS: Readonly<Record<string, Readonly<Record<number, Call>>>> = {
  x64: {
    0: "read",
    19: "read",
    40: "sendfile",
    7: "poll",
    271: "poll",
    23: "select",
    270: "select",
    232: "epoll",
    281: "epoll",
    441: "epoll",
  },
  arm64: { 63: "read", 65: "read", 71: "sendfile", 73: "poll", 72: "select", 22: "epoll", 441: "epoll" },
};

/** The call number, then its arguments. */
const BLOCKED = /^(\d+) (0x[0-9a-f]+) (0x[0-9a-f]+)/;
/** A larger set is not a plausible list of files to wait for. */
const MOST_FILES = 4096;

/** The line is "running", "-1 …" outside of a call, or the call number and its arguments. */
export function parseSyscall(line: string, arch: string): BlockedIn | undefined {
  const [, number, first = "0x0", second = "0x0"] = BLOCKED.exec(line) ?? [];
  const call = number === undefined ? undefined : CALLS[arch]?.[Number(number)];
  if (call === undefined) return undefined;
  switch (call) {
    case "read":
    case "epoll":
      return { call, fd: Number(BigInt.asIntN(32, BigInt(first))) };
    case "sendfile":
      return { call: "read", fd: Number(BigInt.asIntN(32, BigInt(second))) };
    case "poll":
      return { call, at: BigInt(first), count: Math.min(Number(BigInt(second)), MOST_FILES) };
    case "select":
      return { call, at: BigInt(second), count: Math.min(Number(BigInt(first)), MOST_FILES) };
  }
}
