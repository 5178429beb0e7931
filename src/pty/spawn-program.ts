/**
 * Starts a program with posix_spawn: nothing of ours runs in the new process, our page tables are not copied
 * (a gigabyte of heap costs nothing), and what prevents a start comes back as an error before anything has run.
 *
 * The program leads a session of its own. Being a session leader, the terminal that it opens as descriptor 0 becomes
 * its controlling terminal. It gets descriptors 0, 1 and 2 and no other.
 */
import { constants } from "node:os";
import { LimpetError } from "../base/limpet-error.ts";
import { errnoName, libc } from "../linux/libc.ts";
import { findProgram, notExecutable, requireDirectory } from "./find-program.ts";

/** What the program has as descriptors 0, 1 and 2. */
export type Stdio =
  | { readonly kind: "terminal"; readonly path: string }
  | { readonly kind: "pipes"; readonly stdin: number; readonly stdout: number; readonly stderr: number };

export interface SpawnOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const POSIX_SPAWN_SETSIGDEF = 0x04;
const POSIX_SPAWN_SETSIGMASK = 0x08;
const POSIX_SPAWN_SETSID = 0x80;
const POSIX_SPAWN_SETCGROUP = 0x100;
const FLAGS = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
const O_RDWR = 2;
/** Larger than posix_spawn_file_actions_t, posix_spawnattr_t and sigset_t on every libc. */
const OPAQUE_BYTES = 512;

/** But for the group the same for every program; posix_spawn only reads it. */
let attributes: Buffer | undefined;

/** Whether a program can be born into a control group that we are not in ourselves. */
export const canSpawnInside: boolean = libc.attrSetGroup !== undefined;

/** Returns the pid. `group`: the open directory of the control group that it is born into. Default: our own. */
export function spawnProgram(options: SpawnOptions, stdio: Stdio, group?: number): number {
  refuseNul(options);
  requireDirectory(options.cwd);
  const file = findProgram(options.program, { cwd: options.cwd, path: options.env["PATH"] });
  const actions = Buffer.alloc(OPAQUE_BYTES);
  attributes ??= makeAttributes();
  chooseGroup(attributes, group);
  libc.actionsInit(actions);
  try {
    addActions(actions, options.cwd, stdio);
    const pid: [number] = [0];
    const argv = [options.program, ...options.args, null];
    const envp = [...Object.entries(options.env).map(([name, value]) => `${name}=${value}`), null];
    const error = libc.posixSpawn(pid, file, actions, attributes, argv, envp);
    if (error !== 0) throw spawnError(error, file);
    return pid[0];
  } finally {
    libc.actionsDestroy(actions);
  }
}

function addActions(actions: Buffer, cwd: string, stdio: Stdio): void {
  if (!libc.actionsChdir) {
    throw new LimpetError(
      "PLATFORM_UNSUPPORTED",
      "This libc is too old to start programs. glibc 2.29 or musl 1.2 is needed.",
    );
  }
  libc.actionsChdir(actions, cwd);
  if (stdio.kind === "terminal") {
    libc.actionsOpen(actions, 0, stdio.path, O_RDWR, 0);
    libc.actionsDup2(actions, 0, 1);
    libc.actionsDup2(actions, 0, 2);
  } else {
    libc.actionsDup2(actions, stdio.stdin, 0);
    libc.actionsDup2(actions, stdio.stdout, 1);
    libc.actionsDup2(actions, stdio.stderr, 2);
  }
  // Where this is missing nothing leaks either: all that Node and we open is close-on-exec.
  libc.actionsCloseFrom?.(actions, 3);
}

/** Node blocks and ignores some signals (SIGPIPE); a program must not inherit that. */
function makeAttributes(): Buffer {
  const attr = Buffer.alloc(OPAQUE_BYTES);
  const set = Buffer.alloc(OPAQUE_BYTES);
  libc.attrInit(attr);
  libc.sigEmptySet(set);
  libc.attrSetSigMask(attr, set);
  libc.sigFillSet(set);
  libc.attrSetSigDefault(attr, set);
  return attr;
}

function chooseGroup(attr: Buffer, group: number | undefined): void {
  libc.attrSetFlags(attr, group === undefined ? FLAGS : FLAGS | POSIX_SPAWN_SETCGROUP);
  if (group !== undefined) libc.attrSetGroup?.(attr, group);
}

function refuseNul({ program, args, cwd, env }: SpawnOptions): void {
  const suspects = [program, cwd, ...args, ...Object.keys(env), ...Object.values(env)];
  const bad = suspects.find((text) => text.includes("\0"));
  if (bad !== undefined) {
    throw new LimpetError(
      "NUL_BYTE",
      `${JSON.stringify(bad.slice(0, 80))} has a NUL byte in it. Programs, arguments, directories and variables cannot hold one: remove it.`,
    );
  }
  const badName = Object.keys(env).find((name) => name === "" || name.includes("="));
  if (badName !== undefined) {
    throw new LimpetError(
      "BAD_OPTION",
      `env has a variable named "${badName}". A name has at least one character and no "=".`,
    );
  }
}

function spawnError(error: number, file: string): LimpetError {
  const { E2BIG, EACCES, EAGAIN, EMFILE, ENFILE, ENOENT, ENOEXEC, ENOMEM } = constants.errno;
  switch (error) {
    case EACCES:
    case ENOEXEC:
      return notExecutable(file);
    case ENOENT:
      return notExecutable(file, new Error("the interpreter that its first line names does not exist"));
    case E2BIG:
      return new LimpetError(
        "SPAWN_FAILED",
        `The arguments and variables of "${file}" are too large. Pass less, or pass a file.`,
      );
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
      return new LimpetError(
        "RESOURCE_EXHAUSTED",
        `"${file}" could not be started (${errnoName(error)}). Close sessions, then try again.`,
      );
    default:
      return new LimpetError(
        "SPAWN_FAILED",
        `"${file}" could not be started (${errnoName(error)}). Try it in a terminal of your own.`,
      );
  }
}
