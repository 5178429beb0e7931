/**
 * Starts a program with posix_spawn. None of our code runs in the new process, page tables are not copied (so a large
 * heap costs nothing), and a failed start is reported as an error before anything has run.
 *
 * The program leads its own session. Therefore the terminal that it opens as descriptor 0 becomes its controlling
 * terminal. It inherits descriptors 0, 1 and 2 only, unless it is given more.
 */
import { constants } from "node:os";
import { LimpetError } from "../base/limpet-error.ts";
import { errnoName, libc } from "../linux/libc.ts";
import { findProgram, notExecutable, requireDirectory } from "./find-program.ts";

/** The program's descriptors 0, 1 and 2. */
export type Stdio =
  | {
      readonly kind: "terminal";
      readonly path: string;
      /** Default: the terminal. */
      readonly stderr?: number;
    }
  | {
      readonly kind: "pipes";
      readonly stdin: number;
      readonly stdout: number;
      readonly stderr: number;
      /** Further descriptors, which become 3 and up in the program. Each number must be larger than its future one. */
      readonly more?: readonly number[];
    };

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
/** After 0, 1 and 2. */
const FIRST_MORE = 3;
/** Larger than posix_spawn_file_actions_t, posix_spawnattr_t and sigset_t on every libc. */
const OPAQUE_BYTES = 512;

/** The attributes are the same for every program except for the group. posix_spawn only reads them. */
let attributes: Buffer | undefined;

/** Whether a program can be started directly in a control group that this process is not in. */
export const canSpawnInside: boolean = libc.attrSetGroup !== undefined;

/**
 * Starts the program and returns its pid. `group`: a descriptor of the directory of its control group. Default: the
 * group of this process.
 */
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
      "This libc is too old to start programs. Use glibc 2.29 or musl 1.2, or newer.",
    );
  }
  libc.actionsChdir(actions, cwd);
  const { more = [] } = stdio.kind === "pipes" ? stdio : {};
  if (stdio.kind === "terminal") {
    libc.actionsOpen(actions, 0, stdio.path, O_RDWR, 0);
    libc.actionsDup2(actions, 0, 1);
    libc.actionsDup2(actions, stdio.stderr ?? 0, 2);
  } else {
    libc.actionsDup2(actions, stdio.stdin, 0);
    libc.actionsDup2(actions, stdio.stdout, 1);
    libc.actionsDup2(actions, stdio.stderr, 2);
    for (const [at, fd] of more.entries()) libc.actionsDup2(actions, fd, FIRST_MORE + at);
  }
  // Optional, because Node and limpet open every file with close-on-exec.
  libc.actionsCloseFrom?.(actions, FIRST_MORE + more.length);
}

/** Resets signals: Node blocks and ignores some (SIGPIPE), and programs must not inherit that. */
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
      `${JSON.stringify(bad.slice(0, 80))} contains a NUL byte. Remove it: programs, arguments, directories and variables cannot contain one.`,
    );
  }
  const badName = Object.keys(env).find((name) => name === "" || name.includes("="));
  if (badName !== undefined) {
    throw new LimpetError(
      "BAD_OPTION",
      `env contains a variable named "${badName}". Use a name that is not empty and has no "=".`,
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
        `The arguments and variables of "${file}" are too large. Pass less data, or pass it in a file.`,
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
        `"${file}" could not be started (${errnoName(error)}). Try to start it in an ordinary terminal.`,
      );
  }
}
