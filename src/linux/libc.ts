/**
 * The functions of the C library that limpet calls. Only this file uses the FFI library.
 *
 * The FFI is a prebuilt addon, published as one small package per platform. We load that package directly, because the
 * umbrella package adds an install script and the sources. Every call here is synchronous and must never block the
 * event loop.
 */
import { createRequire } from "node:module";
import { constants } from "node:os";
import { LimpetError } from "../base/limpet-error.ts";

type CFunction = (...args: readonly unknown[]) => number;

interface Ffi {
  load(path: string | null): { func(prototype: string): CFunction };
  errno(): number;
  address(buffer: Buffer): bigint;
}

function loadFfi(): Ffi {
  requireNode();
  const name = `@koromix/koffi-${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url)(name) as Ffi;
  } catch (cause) {
    throw new LimpetError(
      "PLATFORM_UNSUPPORTED",
      `The package ${name} could not be loaded. limpet needs Linux on x64 or arm64: reinstall it with optional dependencies, or, if a bundler built this program, mark limpet as external.`,
      { cause },
    );
  }
}

/**
 * Refuses Bun and Deno, whose streams over descriptors differ from Node's: Bun loses the end of output, and Deno cannot
 * close them.
 */
function requireNode(): void {
  const { bun, deno } = process.versions;
  const [name, version] = bun === undefined ? ["Deno", deno] : ["Bun", bun];
  if (version === undefined) return;
  throw new LimpetError(
    "PLATFORM_UNSUPPORTED",
    `limpet does not work in ${name} (this is ${name} ${version}). Run this program with Node 20.15 or later.`,
  );
}

const ffi = loadFfi();
const library = ffi.load(null);

/** Loads a function that an older libc, or musl, may not have. */
function optional(prototype: string): CFunction | undefined {
  try {
    return library.func(prototype);
  } catch {
    return undefined;
  }
}

type RequiredFunction =
  | "ioctl"
  | "tcgetattr"
  | "tcsetattr"
  | "tcgetpgrp"
  | "read"
  | "write"
  | "poll"
  | "pipe2"
  | "mkfifo"
  | "fcntl"
  | "waitpid"
  | "kill"
  | "flock"
  | "getsockopt"
  | "connect"
  | "posixSpawn"
  | "actionsInit"
  | "actionsDestroy"
  | "actionsOpen"
  | "actionsDup2"
  | "attrInit"
  | "attrSetFlags"
  | "attrSetSigMask"
  | "attrSetSigDefault"
  | "sigEmptySet"
  | "sigFillSet"
  | "prctl"
  | "seccomp"
  | "capset"
  | "landlockCreate"
  | "landlockAddRule"
  | "landlockRestrict"
  | "pidfdOpen"
  | "pidfdGetfd";
type OptionalFunction = "mallocTrim" | "actionsChdir" | "actionsCloseFrom" | "attrSetGroup";

export const libc: Readonly<Record<RequiredFunction, CFunction> & Record<OptionalFunction, CFunction | undefined>> = {
  ioctl: library.func("int ioctl(int fd, unsigned long request, void *arg)"),
  tcgetattr: library.func("int tcgetattr(int fd, void *termios)"),
  tcsetattr: library.func("int tcsetattr(int fd, int actions, void *termios)"),
  tcgetpgrp: library.func("int tcgetpgrp(int fd)"),
  read: library.func("intptr_t read(int fd, void *buffer, size_t count)"),
  write: library.func("intptr_t write(int fd, void *buffer, size_t count)"),
  poll: library.func("int poll(void *fds, unsigned long count, int timeoutMs)"),
  pipe2: library.func("int pipe2(void *fds, int flags)"),
  mkfifo: library.func("int mkfifo(const char *path, unsigned int mode)"),
  fcntl: library.func("int fcntl(int fd, int command, int arg)"),
  waitpid: library.func("int waitpid(int pid, void *status, int options)"),
  kill: library.func("int kill(int pid, int signal)"),
  flock: library.func("int flock(int fd, int operation)"),
  getsockopt: library.func("int getsockopt(int fd, int level, int name, void *value, void *length)"),
  connect: library.func("int connect(int fd, void *address, uint32_t length)"),
  posixSpawn: library.func(
    "int posix_spawn(_Out_ int *pid, const char *path, void *actions, void *attr, const char **argv, const char **envp)",
  ),
  actionsInit: library.func("int posix_spawn_file_actions_init(void *actions)"),
  actionsDestroy: library.func("int posix_spawn_file_actions_destroy(void *actions)"),
  actionsOpen: library.func(
    "int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, uint32_t mode)",
  ),
  actionsDup2: library.func("int posix_spawn_file_actions_adddup2(void *actions, int from, int to)"),
  // Only in glibc.
  mallocTrim: optional("int malloc_trim(size_t pad)"),
  actionsChdir: optional("int posix_spawn_file_actions_addchdir_np(void *actions, const char *path)"),
  actionsCloseFrom: optional("int posix_spawn_file_actions_addclosefrom_np(void *actions, int from)"),
  attrInit: library.func("int posix_spawnattr_init(void *attr)"),
  attrSetFlags: library.func("int posix_spawnattr_setflags(void *attr, short flags)"),
  attrSetSigMask: library.func("int posix_spawnattr_setsigmask(void *attr, void *set)"),
  attrSetSigDefault: library.func("int posix_spawnattr_setsigdefault(void *attr, void *set)"),
  // Since glibc 2.39.
  attrSetGroup: optional("int posix_spawnattr_setcgroup_np(void *attr, int cgroup)"),
  sigEmptySet: library.func("int sigemptyset(void *set)"),
  sigFillSet: library.func("int sigfillset(void *set)"),
  prctl: library.func("int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)"),
  // These have no function in libc. The first argument is the number of the system call.
  seccomp: library.func("long syscall(long number, unsigned int operation, unsigned int flags, void *program)"),
  capset: library.func("long syscall(long number, void *header, void *data)"),
  landlockCreate: library.func("long syscall(long number, void *attributes, size_t size, uint32_t flags)"),
  landlockAddRule: library.func("long syscall(long number, int ruleset, int type, void *rule, uint32_t flags)"),
  pidfdOpen: library.func("long syscall(long number, int pid, unsigned int flags)"),
  pidfdGetfd: library.func("long syscall(long number, int pidfd, int fd, unsigned int flags)"),
  landlockRestrict: library.func("long syscall(long number, int ruleset, uint32_t flags)"),
};

/** The address of a buffer, for structures that contain pointers. Valid while the buffer is referenced. */
export function addressOf(buffer: Buffer): bigint {
  return BigInt(ffi.address(buffer));
}

/** The error number of the call that just failed. */
export function errno(): number {
  return ffi.errno();
}

const errnoNames = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

export function errnoName(number: number): string {
  return errnoNames.get(number) ?? `errno ${number}`;
}
