/** The command that creates a container of an image, in which sessions then run. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";
import { describeSandbox, type SandboxRequest } from "../../base/sandbox-request.ts";
import type { EnforcedLimits, LimitName, SessionLimits } from "../../base/session-limits.ts";
import type { ContainerEngine } from "../../transport/container/container.ts";

export const LABEL = "limpet";

/**
 * The first process of the container. The kernel does not deliver unhandled signals, such as that of Ctrl+C, to a first
 * process, and a first process must reap orphans, so the program of a session cannot be that process. It continues if
 * its `sleep` is killed. If `sleep` does not exist, for example because the files of the container were removed, it
 * ends, and the container with it, instead of looping.
 */
export const FIRST_PROCESS =
  "trap exit TERM; while :; do sleep 1000 & wait $!; case $? in 0|129|1[3-9]?) ;; *) exit 1 ;; esac; done";
/** The first process and its `sleep`. */
const OWN_PROCESSES = 2;

export interface ImageContainer {
  readonly engine: ContainerEngine;
  readonly image: string;
  readonly workspace: string;
  readonly name: string;
  readonly label: string;
  readonly sandbox: SandboxRequest | undefined;
  readonly limits: SessionLimits | undefined;
  /** The user on this machine who owns the files of the workspace. Undefined: the user of the image. */
  readonly user: string | undefined;
}

export function imageWords(container: ImageContainer): readonly string[] {
  const { engine, image, workspace, name, label, sandbox, limits, user } = container;
  const access = sandbox?.files === "read-only" ? ",readonly" : "";
  return [
    ...[engine, "run", "-d", "--rm", "--name", name, "--label", `${LABEL}=${label}`],
    ...["--mount", `type=bind,src=${requireMountable(workspace)},dst=${workspace}${access}`, "-w", workspace],
    ...networkWords(sandbox),
    ...limitWords(limits),
    ...(user === undefined ? [] : ["--user", user, "-e", "HOME=/tmp"]),
    ...["--entrypoint", "/bin/sh", requireImage(image), "-c", FIRST_PROCESS],
  ];
}

/** Programs in a sandbox have no network unless the sandbox allows it. */
function networkWords(sandbox: SandboxRequest | undefined): readonly string[] {
  if (!sandbox || sandbox.network === "on") return [];
  if (sandbox.network === undefined || sandbox.network === "off") return ["--network", "none"];
  throw new LimpetError(
    "SANDBOX_UNAVAILABLE",
    `A container cannot be kept to ${describeSandbox(sandbox)}. Use network on or off for an image place.`,
  );
}

function limitWords({ memory, processes, openFiles, fileSize, cpuTime }: SessionLimits = {}): readonly string[] {
  return [
    ...(memory === undefined ? [] : ["--memory", String(memory), "--memory-swap", String(memory)]),
    ...(processes === undefined ? [] : ["--pids-limit", String(processes + OWN_PROCESSES)]),
    ...(openFiles === undefined ? [] : ["--ulimit", `nofile=${openFiles}:${openFiles}`]),
    ...(fileSize === undefined ? [] : ["--ulimit", `fsize=${fileSize}:${fileSize}`]),
    ...(cpuTime === undefined ? [] : ["--ulimit", `cpu=${Math.ceil(cpuTime / 1000)}`]),
  ];
}

const KEEPERS: Readonly<Partial<Record<LimitName, "cgroup" | "process">>> = {
  memory: "cgroup",
  processes: "cgroup",
  openFiles: "process",
  fileSize: "process",
  cpuTime: "process",
};

/**
 * Which limits are enforced, and how. `printed`: output of the engine, which reports limits that it discards because
 * the kernel does not support them.
 */
export function keptLimits(limits: SessionLimits | undefined, printed: string): EnforcedLimits {
  const isDiscarding = /discarded/i.test(printed);
  return Object.fromEntries(
    Object.entries(limits ?? {}).flatMap(([name, value]) => {
      const by = KEEPERS[name as LimitName];
      return by === undefined || value === undefined || (isDiscarding && by === "cgroup")
        ? []
        : [[name, { value, by }]];
    }),
  );
}

/** A name that starts with a hyphen would be an option of the tool. */
export function requireImage(image: string): string {
  if (/^[A-Za-z0-9][\w./:@-]{0,511}$/.test(image)) return image;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(image.slice(0, 100))} is not an image. Use a name such as debian:12, with or without @sha256:….`,
  );
}

/** A comma would end a part of the mount option. */
function requireMountable(path: string): string {
  if (path.startsWith("/") && path !== "/" && !/[,"\n]/.test(path)) return path;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(path)} cannot be mounted in a container. Use an absolute path of a project, without commas and quotes.`,
  );
}
