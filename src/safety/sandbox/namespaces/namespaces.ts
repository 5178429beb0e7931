/**
 * Namespaces that bwrap makes for a sandbox: its own view of the file system, its own network if it may not use the one
 * outside, and its own memory for communication between processes. They last as long as the boxes whose programs use
 * them.
 */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, lstatSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TemporaryDirectory } from "../../../linux/temporary-directory.ts";
import type { ResolvedSandbox } from "../resolve-sandbox.ts";
import { NAMESPACE_KINDS } from "./entering-command.ts";
import { namespaceTools, notMade } from "./namespace-tools.ts";
import { bwrapArguments, type Mount, planMounts } from "./plan-mounts.ts";
import { startBwrap } from "./start-bwrap.ts";
import type { Entrance } from "./start-keeper.ts";

/** A directory in the namespaces for the files of one box. */
export interface BoxDirectory {
  readonly path: string;
  remove(): void;
}

export class Namespaces {
  readonly entrance: Entrance;
  /** What is shown instead of hidden files and directories. */
  readonly empty: readonly string[];
  readonly #directory: TemporaryDirectory;
  readonly #process: ChildProcess;
  readonly #locked: string;
  readonly #onUnused: () => void;
  readonly #boxes = new Set<string>();
  #isOver = false;

  private constructor(parts: {
    readonly entrance: Entrance;
    readonly empty: readonly string[];
    readonly directory: TemporaryDirectory;
    readonly process: ChildProcess;
    readonly locked: string;
    readonly onUnused: () => void;
  }) {
    this.entrance = parts.entrance;
    this.empty = parts.empty;
    this.#directory = parts.directory;
    this.#process = parts.process;
    this.#locked = parts.locked;
    this.#onUnused = parts.onUnused;
  }

  /** `onUnused`: when the last box has gone. Rejects if this machine does not let bwrap make them. */
  static async make(sandbox: ResolvedSandbox, onUnused: () => void): Promise<Namespaces> {
    const { bwrap, ...tools } = namespaceTools();
    const directory = new TemporaryDirectory("sandbox");
    const empty = { directory: join(directory.path, "empty"), file: join(directory.path, "empty-file") };
    mkdirSync(directory.path, { mode: 0o700 });
    mkdirSync(empty.directory, { mode: 0o500 });
    writeFileSync(empty.file, "", { mode: 0o400 });
    const { locked, pinned, network } = sandbox;
    const hasNetwork = network !== "off" && network !== "loopback";
    const hidden = sandbox.hidden.flatMap((path) => {
      const facts = statSync(path, { throwIfNoEntry: false });
      return facts ? [{ path, isDirectory: facts.isDirectory() }] : [];
    });
    const mounts = planMounts({ writable: [...sandbox.writable, directory.path], pinned, locked, hidden, empty });
    const stamp = stampOf(locked);
    let child: ChildProcess | undefined;
    try {
      const started = await startBwrap(bwrap, bwrapArguments(mounts, { hasNetwork }));
      const { pid } = started;
      child = started.process;
      requireMounts(pid, mounts);
      const kinds = NAMESPACE_KINDS.filter((kind) => kind !== "net" || !hasNetwork);
      const descriptors = openAll(kinds.map((kind) => `/proc/${pid}/ns/${kind}`));
      const isRoot = process.geteuid?.() === 0;
      const entrance = { tools, isRoot, kinds, descriptors };
      const shown = Object.values(empty);
      return new Namespaces({ entrance, empty: shown, directory, process: child, locked: stamp, onUnused });
    } catch (error) {
      child?.stdin?.destroy();
      directory.remove();
      throw error;
    }
  }

  /** True when the last box has gone. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** False once a locked file was replaced from outside: then the kernel has removed its mount. */
  isUpToDate({ locked }: Pick<ResolvedSandbox, "locked">): boolean {
    return !this.#isOver && this.#process.exitCode === null && this.#locked === stampOf(locked);
  }

  /** For the files of one box, which removes it when its last program has ended. */
  makeDirectory(): BoxDirectory {
    const path = join(this.#directory.path, randomUUID());
    this.#boxes.add(path);
    return { path, remove: () => this.#remove(path) };
  }

  #remove(path: string): void {
    rmSync(path, { recursive: true, force: true });
    if (!this.#boxes.delete(path) || this.#boxes.size > 0) return;
    this.#isOver = true;
    this.#onUnused();
    // bwrap ends when its input ends.
    this.#process.stdin?.destroy();
    for (const fd of this.entrance.descriptors) closeSync(fd);
    this.#directory.remove();
  }
}

/**
 * Programs in another sandbox may have replaced a path by a link while it was mounted. Then the mount shows something
 * else, which may be a hidden path.
 */
function requireMounts(pid: number, mounts: readonly Mount[]): void {
  for (const { source, path } of mounts) {
    const [wanted, mounted] = [source, join(`/proc/${pid}/root`, path)].map(identityOf);
    if (wanted !== mounted || wanted === undefined) throw notMade(`${path} changed while it was mounted`);
  }
}

function openAll(paths: readonly string[]): readonly number[] {
  const opened: number[] = [];
  try {
    for (const path of paths) opened.push(openSync(path, "r"));
    return opened;
  } catch (cause) {
    for (const fd of opened) closeSync(fd);
    throw notMade(reasonOf(cause));
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function stampOf(paths: readonly string[]): string {
  return JSON.stringify(paths.map(identityOf));
}

/** Undefined if there is nothing. A link is not followed. */
function identityOf(path: string): string | undefined {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return facts && `${facts.dev} ${facts.ino}`;
  } catch {
    return undefined;
  }
}
