/** A container engine of a test file, and places in its containers. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { ContainerEngine } from "../../../src/transport/container/container.ts";
import { skipWithout } from "../needs.ts";
import { pidsWith, uniqueSeconds } from "../processes.ts";
// @ts-expect-error A script without types.
import { openDockerEngine } from "./docker-engine.mjs";
// @ts-expect-error A script without types.
import { openPodmanEngine } from "./podman-engine.mjs";

interface OpenedEngine {
  readonly env: Readonly<Record<string, string>>;
  /** Where it listens as an engine on another machine does. */
  readonly tcp?: string;
  tool(...args: readonly string[]): string;
  close(): Promise<void>;
}

export interface TestEngine {
  /** Until the end of the test, the tools find the engine as if it were on another machine. */
  asRemote(): void;
  /** Runs the command line tool of the engine. */
  tool(...args: readonly string[]): string;
  /** A container that runs until the end of the test. `words`: options of `run`. Resolves with its name. */
  start(...words: readonly string[]): string;
}

const NEEDS = {
  docker: ["dockerd", "busybox", "root", "cgroups"],
  podman: ["podman", "busybox", "root", "cgroups"],
} as const;
const OPENERS = { docker: openDockerEngine, podman: openPodmanEngine };
const START_MS = 120_000;

/** For a whole file: its tests are skipped where no engine can run. The tools of this process find the engine. */
export function useEngine(engine: ContainerEngine, options: { readonly isTcp?: boolean } = {}): TestEngine {
  const { setUp, tearDown } = skipWithout(...NEEDS[engine]);
  let opened: OpenedEngine | undefined;
  let folder = "";
  let count = 0;
  setUp(async () => {
    folder = mkdtempSync(join(tmpdir(), "limpet-engine-"));
    opened = (await OPENERS[engine](folder, options)) as OpenedEngine;
    Object.assign(process.env, opened.env);
  }, START_MS);
  tearDown(async () => {
    await opened?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, START_MS);
  const tool = (...args: readonly string[]) => opened?.tool(...args) ?? "";
  return {
    tool,
    asRemote: () => {
      vi.stubEnv("DOCKER_HOST", opened?.tcp);
      onTestFinished(() => void vi.unstubAllEnvs());
    },
    start: (...words) => {
      count += 1;
      const name = `limpet-test-${process.pid}-${count}`;
      // Podman would wait 10 s for a first process that ignores SIGTERM.
      const options = ["-d", "--name", name, "--network", "none", "--stop-timeout", "0"];
      tool("run", ...options, ...words, "box", "/bin/sleep", "100000");
      onTestFinished(() => void tool("rm", "-f", name));
      return name;
    },
  };
}

/** A `sleep` that nobody else on this machine runs, and its processes on this machine, in whatever container. */
export function uniqueSleep(): { readonly command: string; pids(): readonly number[] } {
  const seconds = uniqueSeconds();
  return {
    command: `sleep ${seconds}`,
    pids: () => pidsWith(`sleep\0${seconds}\0`),
  };
}

/** Options of `run` that give a container the libraries of this machine. */
export function libraries(): readonly string[] {
  const paths = { "/usr/lib": "/usr/lib", "/lib": "/lib", "/lib64": "/lib64" };
  return Object.entries(paths).flatMap(([here, there]) => ["-v", `${realpathSync(here)}:${there}:ro`]);
}
