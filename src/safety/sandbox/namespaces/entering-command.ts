/**
 * Pure: how a program starts in namespaces that exist already. `nsenter` enters them and then becomes the program, with
 * the same pid, so the program leads its session and our process learns how it ended, as without namespaces. bwrap
 * itself would stay between the two.
 */
import type { SpawnOptions } from "../../../pty/spawn-program.ts";

/** The paths of the programs that this needs. */
export interface EntryTools {
  readonly nsenter: string;
  readonly setpriv: string;
  readonly env: string;
  readonly cat: string;
}

export interface Entry {
  readonly tools: EntryTools;
  /** In namespaces, root has all capabilities there, and would keep them. */
  readonly isRoot: boolean;
  readonly kinds: readonly NamespaceKind[];
}

export const NAMESPACE_KINDS = ["user", "mnt", "ipc", "net"] as const;
type NamespaceKind = (typeof NAMESPACE_KINDS)[number];

const OPTIONS: Readonly<Record<NamespaceKind, string>> = {
  user: "--user",
  mnt: "--mount",
  ipc: "--ipc",
  net: "--net",
};

/** Variables that would make `nsenter` run somebody else's code, outside of the namespaces. */
const OF_LOADER = /^(?:LD_|GLIBC_|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$|TZDIR$)/;
const WITHOUT_CAPABILITIES = ["--bounding-set=-all", "--inh-caps=-all", "--"];

/** A program that enters the namespaces of the process `target`. Its file is found in the PATH of `env`. */
export function enteringCommand(given: SpawnOptions, target: number, { tools, isRoot, kinds }: Entry): SpawnOptions {
  const { program, args, cwd, env } = given;
  const isOfLoader = ([name]: readonly [string, string]) => OF_LOADER.test(name);
  const setting = Object.entries(env)
    .filter(isOfLoader)
    .map(([name, value]) => `${name}=${value}`);
  // `env` would read a name with "=" as a variable; `setpriv` does not.
  const viaSetpriv = program.includes("=") ? [tools.setpriv, "--no-new-privs", "--"] : [];
  return {
    program: tools.nsenter,
    args: [
      ...[`--target=${target}`, ...kinds.map((kind) => OPTIONS[kind]), "--preserve-credentials", `--wdns=${cwd}`, "--"],
      ...(isRoot ? [tools.setpriv, ...WITHOUT_CAPABILITIES] : []),
      ...(setting.length > 0 ? [tools.env, ...setting, ...viaSetpriv] : []),
      program,
      ...args,
    ],
    cwd: "/",
    env: Object.fromEntries(Object.entries(env).filter((entry) => !isOfLoader(entry))),
  };
}

/** A process that is in the namespaces until its input ends. It is given their descriptors from 3 on. */
export function keepingCommand({ tools, isRoot, kinds }: Entry): SpawnOptions {
  const entered = kinds.map((kind, at) => `${OPTIONS[kind]}=/proc/self/fd/${3 + at}`);
  return {
    program: tools.nsenter,
    args: [
      ...[...entered, "--preserve-credentials", "--"],
      ...(isRoot ? [tools.setpriv, ...WITHOUT_CAPABILITIES] : []),
      tools.cat,
    ],
    cwd: "/",
    env: {},
  };
}
