/** Pure: the system calls that a sandbox refuses, in addition to what the rules about files refuse. */
import { constants } from "node:os";
import type { SandboxNetwork } from "../../base/sandbox-request.ts";
import type { ArgumentIndex, ArgumentTest, Refusal } from "../../linux/restrict/syscall-filter.ts";
import { callNumber, type SystemCall } from "../../linux/restrict/syscall-numbers.ts";

/** No program in a sandbox needs these, and each reaches beyond it. */
const REFUSED: readonly SystemCall[] = [
  // Keys that the user's other processes have stored in the kernel.
  "add_key",
  "request_key",
  "keyctl",
  // Files by number instead of by path, and the memory and descriptors of other processes.
  "open_by_handle_at",
  "process_vm_readv",
  "process_vm_writev",
  "pidfd_getfd",
  // What is mounted, and other namespaces.
  "mount",
  "umount2",
  "pivot_root",
  "setns",
  "open_tree",
  "open_tree_attr",
  "move_mount",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "mount_setattr",
  // The kernel itself.
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "init_module",
  "finit_module",
  "delete_module",
  "kexec_load",
  "kexec_file_load",
  "reboot",
  "swapon",
  "swapoff",
  "acct",
  "quotactl",
  "quotactl_fd",
  "settimeofday",
  "clock_settime",
];

/**
 * Refused as if the kernel did not have them. Memory, semaphores and queues that processes share by number belong to
 * all processes of the user. The last one can signal a thread that a path names.
 */
const MISSING: readonly SystemCall[] = [
  "shmget",
  "shmat",
  "shmctl",
  "semget",
  "semop",
  "semctl",
  "semtimedop",
  "msgget",
  "msgsnd",
  "msgrcv",
  "msgctl",
  "mq_open",
  "mq_unlink",
  "pidfd_send_signal",
];

/** Attributes and access lists. The rules about files do not cover them, so they could be changed everywhere. */
const UNSUPPORTED: readonly SystemCall[] = [
  "setxattr",
  "lsetxattr",
  "fsetxattr",
  "removexattr",
  "lremovexattr",
  "fremovexattr",
  "setxattrat",
  "removexattrat",
  "file_setattr",
];

/** Refused for some values of an argument. */
const TESTED: readonly (readonly [call: SystemCall, test: ArgumentTest])[] = [
  // Limits and priorities of other processes: 0 is the caller. A limit of processor time kills.
  ["prlimit64", { index: 0, values: [0], isOther: true }],
  ["sched_setparam", { index: 0, values: [0], isOther: true }],
  ["sched_setscheduler", { index: 0, values: [0], isOther: true }],
  ["sched_setattr", { index: 0, values: [0], isOther: true }],
  ["setpriority", { index: 1, values: [0], isOther: true }],
  ["ioprio_set", { index: 1, values: [0], isOther: true }],
  // The same two for all processes of the user.
  ["setpriority", { index: 0, values: [2] }],
  ["ioprio_set", { index: 0, values: [3] }],
  // Files that run with the rights of their owner, also outside: changing the mode is not covered by the rules.
  ["chmod", { index: 1, bits: 0o6000 }],
  ["fchmod", { index: 1, bits: 0o6000 }],
  ["fchmodat", { index: 2, bits: 0o6000 }],
  ["fchmodat2", { index: 2, bits: 0o6000 }],
  // F_SETOWN_EX: a signal to one thread of another process.
  ["fcntl", { index: 1, values: [15] }],
];

/** Its requests do not pass through the filter. Programs that use it have another way. */
const IO_URING: readonly SystemCall[] = ["io_uring_setup", "io_uring_enter", "io_uring_register"];

const REFUSED_REQUESTS = [
  // Types into a terminal; what consoles can do, which includes pasting; another driver for a terminal.
  ...[0x5412, 0x541c, 0x5423],
  // Who gets the signals of a socket.
  ...[0x8901, 0x8902],
  // Flags, generation and attributes of a file that is open for reading, and making it unchangeable for ever.
  ...[0x40086602, 0x40087602, 0x401c5820, 0x40806685],
  // btrfs: makes and removes copies of whole trees, with what is hidden in them.
  ...[0x50009401, 0x50009417, 0x5000940e, 0x50009418, 0x5000940f, 0x5000943f, 0x4008941a],
];

/** A type of sockets, with each of the flags that may be given with it. */
const withFlags = (type: number) => [0, 0x800, 0x80000, 0x80800].map((flags) => type | flags);
const STREAMS = withFlags(1);
/** Streams and packets, which stay connected to each other. Datagrams could be sent to any Unix socket. */
const PAIRS = [...STREAMS, ...withFlags(5)];

/** Families of sockets. Unix sockets lead to agents that act for the user, such as ssh-agent, D-Bus and docker. */
const INTERNET = [2, 10];
/** Its protocol 0 reports interfaces and addresses; others report processes, the firewall and audits. */
const NETLINK = 16;
const ROUTE = 0;

/** The rules about connections cover TCP alone, not the other protocols that have streams. */
const TCP = [0, 6];
/** Sends with the first packet of a connection, which the rules about connections do not see. */
const FAST_OPEN = 0x20000000;
const SENDING: readonly (readonly [call: SystemCall, flagsAt: ArgumentIndex])[] = [
  ["sendto", 3],
  ["sendmsg", 2],
  ["sendmmsg", 3],
];

export interface RefusedCallsOptions {
  readonly arch: string;
  readonly network: SandboxNetwork;
  /**
   * Whether each program enters namespaces as it starts. Afterwards it has no rights there, so it can enter only those
   * that it made itself.
   */
  readonly isEntering?: boolean;
}

export function refusedCalls({ arch, network, isEntering = false }: RefusedCallsOptions): readonly Refusal[] {
  const { EACCES, ENOSYS, ENOTSUP, EPERM } = constants.errno;
  const families = network === "off" ? [NETLINK] : [...INTERNET, NETLINK];
  const refuse = refusalsOn(arch);
  const others = REFUSED.filter((call) => !isEntering || call !== "setns");
  return [
    ...refuse("socket", EACCES, { index: 0, values: families, isOther: true }),
    ...refuse("socket", EACCES, { index: 0, values: [NETLINK] }, { index: 2, values: [ROUTE], isOther: true }),
    ...(typeof network === "string" ? [] : refusedBesideTcp(arch)),
    ...refuse("socketpair", EACCES, { index: 1, values: PAIRS, isOther: true }),
    ...refuse("ioctl", EPERM, { index: 1, values: REFUSED_REQUESTS }),
    ...TESTED.flatMap(([call, test]) => refuse(call, EPERM, test)),
    ...[...IO_URING, ...MISSING].flatMap((call) => refuse(call, ENOSYS)),
    ...UNSUPPORTED.flatMap((call) => refuse(call, ENOTSUP)),
    ...others.flatMap((call) => refuse(call, EPERM)),
  ];
}

/** What must be refused so that rules about TCP connections cover all connections, in both directions. */
function refusedBesideTcp(arch: string): readonly Refusal[] {
  const { EACCES, EPERM } = constants.errno;
  const refuse = refusalsOn(arch);
  const internet: ArgumentTest = { index: 0, values: INTERNET };
  return [
    ...refuse("socket", EACCES, internet, { index: 1, values: STREAMS, isOther: true }),
    ...refuse("socket", EACCES, internet, { index: 2, values: TCP, isOther: true }),
    ...refuse("listen", EACCES),
    ...SENDING.flatMap(([call, index]) => refuse(call, EPERM, { index, bits: FAST_OPEN })),
  ];
}

/**
 * Keeps the programs of a sandbox from the thread that starts them. The kernel counts it as one of them, but it belongs
 * to a process outside.
 */
export function guardThread(thread: number, arch: string): readonly Refusal[] {
  const refuse = refusalsOn(arch);
  const calls: readonly (readonly [call: SystemCall, index: ArgumentIndex])[] = [
    ["kill", 0],
    ["tkill", 0],
    ["tgkill", 1],
    ["rt_sigqueueinfo", 0],
    ["rt_tgsigqueueinfo", 1],
    ["ptrace", 1],
    ["fcntl", 2], // F_SETOWN
  ];
  return calls.flatMap(([call, index]) => refuse(call, constants.errno.EPERM, { index, values: [thread] }));
}

/** Nothing for a call that the processor does not have. */
function refusalsOn(arch: string) {
  return (name: SystemCall, errno: number, ...tests: readonly ArgumentTest[]): readonly Refusal[] => {
    const call = callNumber(name, arch);
    return call === undefined ? [] : [{ call, errno, tests }];
  };
}
