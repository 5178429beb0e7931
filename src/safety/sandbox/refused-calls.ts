/** Pure: the system calls that a sandbox refuses, beside what the rules about files refuse. */
import { constants } from "node:os";
import type { SandboxNetwork } from "../../base/sandbox-request.ts";
import type { ArgumentIndex, ArgumentTest, Refusal } from "../../linux/restrict/syscall-filter.ts";

/** Numbers by processor: x64, then arm64. */
type Numbers = readonly [x64: number, arm64: number | undefined];

/** No program in a sandbox needs these, and each reaches beyond it. */
const REFUSED = {
  // Keys that the user's other processes have stored in the kernel.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Files by number instead of by path, and the memory and descriptors of other processes.
  open_by_handle_at: [304, 265],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  // What is mounted, and other namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  // The kernel itself.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
} satisfies Readonly<Record<string, Numbers>>;

/**
 * Refused as if the kernel did not have them. Memory, semaphores and queues that processes share by number belong to
 * all processes of the user. The last one can signal a thread that a path names.
 */
const MISSING: Readonly<Record<string, Numbers>> = {
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  pidfd_send_signal: [424, 424],
};

/** Attributes and access lists. The rules about files do not cover them, so they could be changed everywhere. */
const UNSUPPORTED: Readonly<Record<string, Numbers>> = {
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  setxattrat: [463, 463],
  removexattrat: [466, 466],
  file_setattr: [469, 469],
};

/** Refused for some values of an argument. */
const TESTED: readonly (readonly [call: Numbers, test: ArgumentTest])[] = [
  // Limits and priorities of other processes: 0 is the caller. A limit of processor time kills.
  [[302, 261], { index: 0, values: [0], isOther: true }], // prlimit64
  [[142, 118], { index: 0, values: [0], isOther: true }], // sched_setparam
  [[144, 119], { index: 0, values: [0], isOther: true }], // sched_setscheduler
  [[314, 274], { index: 0, values: [0], isOther: true }], // sched_setattr
  [[141, 140], { index: 1, values: [0], isOther: true }], // setpriority
  [[251, 30], { index: 1, values: [0], isOther: true }], // ioprio_set
  // The same two for all processes of the user.
  [[141, 140], { index: 0, values: [2] }],
  [[251, 30], { index: 0, values: [3] }],
  // Files that run with the rights of their owner, also outside: changing the mode is not covered by the rules.
  [[90, undefined], { index: 1, bits: 0o6000 }], // chmod
  [[91, 52], { index: 1, bits: 0o6000 }], // fchmod
  [[268, 53], { index: 2, bits: 0o6000 }], // fchmodat
  [[452, 452], { index: 2, bits: 0o6000 }], // fchmodat2
  // F_SETOWN_EX: a signal to one thread of another process.
  [[72, 25], { index: 1, values: [15] }], // fcntl
];

/** Its requests do not pass through the filter. Programs that use it have another way. */
const IO_URING: readonly Numbers[] = [
  [425, 425],
  [426, 426],
  [427, 427],
];

const SOCKET: Numbers = [41, 198];
const IOCTL: Numbers = [16, 29];
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

const SOCKETPAIR: Numbers = [53, 199];
/** A type of sockets, with each of the flags that may be given with it. */
const withFlags = (type: number) => [0, 0x800, 0x80000, 0x80800].map((flags) => type | flags);
const STREAMS = withFlags(1);
/** Streams and packets, which stay connected to each other. Datagrams could be sent to any Unix socket. */
const PAIRS = [...STREAMS, ...withFlags(5)];

/** Families of sockets. Unix sockets lead to agents that act for the user, such as ssh-agent, D-Bus and docker. */
const INTERNET = [2, 10];
/** Its protocol 0 tells about interfaces and addresses; others tell about processes, the firewall and audits. */
const NETLINK = 16;
const ROUTE = 0;

/** The rules about connections are about TCP alone: not about the other protocols that have streams. */
const TCP = [0, 6];
const LISTEN: Numbers = [50, 201];
/** Sends with the first packet of a connection, which the rules about connections do not see. */
const FAST_OPEN = 0x20000000;
const SENDING: readonly (readonly [call: Numbers, flagsAt: ArgumentIndex])[] = [
  [[44, 206], 3], // sendto
  [[46, 211], 2], // sendmsg
  [[307, 269], 3], // sendmmsg
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
  const { setns, ...others } = REFUSED;
  return [
    ...refuse(SOCKET, EACCES, { index: 0, values: families, isOther: true }),
    ...refuse(SOCKET, EACCES, { index: 0, values: [NETLINK] }, { index: 2, values: [ROUTE], isOther: true }),
    ...(typeof network === "string" ? [] : refusedBesideTcp(arch)),
    ...refuse(SOCKETPAIR, EACCES, { index: 1, values: PAIRS, isOther: true }),
    ...refuse(IOCTL, EPERM, { index: 1, values: REFUSED_REQUESTS }),
    ...TESTED.flatMap(([call, test]) => refuse(call, EPERM, test)),
    ...[...IO_URING, ...Object.values(MISSING)].flatMap((call) => refuse(call, ENOSYS)),
    ...Object.values(UNSUPPORTED).flatMap((call) => refuse(call, ENOTSUP)),
    ...Object.values(isEntering ? others : { ...others, setns }).flatMap((call) => refuse(call, EPERM)),
  ];
}

/** What must be refused so that rules about TCP connections cover all connections, in both directions. */
function refusedBesideTcp(arch: string): readonly Refusal[] {
  const { EACCES, EPERM } = constants.errno;
  const refuse = refusalsOn(arch);
  const internet: ArgumentTest = { index: 0, values: INTERNET };
  return [
    ...refuse(SOCKET, EACCES, internet, { index: 1, values: STREAMS, isOther: true }),
    ...refuse(SOCKET, EACCES, internet, { index: 2, values: TCP, isOther: true }),
    ...refuse(LISTEN, EACCES),
    ...SENDING.flatMap(([call, index]) => refuse(call, EPERM, { index, bits: FAST_OPEN })),
  ];
}

/**
 * Keeps the programs of a sandbox from the thread that starts them. The kernel counts it as one of them, but it belongs
 * to a process outside.
 */
export function guardThread(thread: number, arch: string): readonly Refusal[] {
  const refuse = refusalsOn(arch);
  const calls: readonly (readonly [call: Numbers, index: ArgumentIndex])[] = [
    [[62, 129], 0], // kill
    [[200, 130], 0], // tkill
    [[234, 131], 1], // tgkill
    [[129, 138], 0], // rt_sigqueueinfo
    [[297, 240], 1], // rt_tgsigqueueinfo
    [[101, 117], 1], // ptrace
    [[72, 25], 2], // fcntl, F_SETOWN
  ];
  return calls.flatMap(([call, index]) => refuse(call, constants.errno.EPERM, { index, values: [thread] }));
}

/** Nothing for a call that the processor does not have. */
function refusalsOn(arch: string) {
  return (numbers: Numbers, errno: number, ...tests: readonly ArgumentTest[]): readonly Refusal[] => {
    const call = numbers[arch === "arm64" ? 1 : 0];
    return call === undefined ? [] : [{ call, errno, tests }];
  };
}
