/** Pure: the system calls that a sandbox refuses, beside what the rules about files refuse. */
import { constants } from "node:os";
import type { Refusal } from "../../linux/syscall-filter.ts";

/** Numbers by processor: x64, then arm64. */
type Numbers = readonly [x64: number, arm64: number];

/** No program in a sandbox needs these, and each reaches beyond it. */
const REFUSED: Readonly<Record<string, Numbers>> = {
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
};

/** Its requests do not pass through the filter. Programs that use it have another way. */
const IO_URING: readonly Numbers[] = [
  [425, 425],
  [426, 426],
  [427, 427],
];

const SOCKET: Numbers = [41, 198];
const IOCTL: Numbers = [16, 29];
/** Types into a terminal; and what consoles can do, which includes pasting. */
const TERMINAL_REQUESTS = [0x5412, 0x541c];

/** Families of sockets. Unix sockets lead to agents that act for the user, such as ssh-agent, D-Bus and docker. */
const INTERNET = [2, 10];
/** Tells about interfaces and addresses. */
const NETLINK = 16;

export interface RefusedCallsOptions {
  readonly arch: string;
  readonly network: "on" | "off";
}

export function refusedCalls({ arch, network }: RefusedCallsOptions): readonly Refusal[] {
  const on = (numbers: Numbers) => numbers[arch === "arm64" ? 1 : 0];
  const { EACCES, ENOSYS, EPERM } = constants.errno;
  const families = network === "on" ? [...INTERNET, NETLINK] : [NETLINK];
  return [
    { call: on(SOCKET), errno: EACCES, test: { index: 0, values: families, isOther: true } },
    { call: on(IOCTL), errno: EPERM, test: { index: 1, values: TERMINAL_REQUESTS } },
    ...IO_URING.map((numbers) => ({ call: on(numbers), errno: ENOSYS })),
    ...Object.values(REFUSED).map((numbers) => ({ call: on(numbers), errno: EPERM })),
  ];
}
