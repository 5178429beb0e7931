/** A project with files that run code later, made anew for each test, and what guards them. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { ProjectGuard } from "../../src/safety/guarded-files/project-guard.ts";

export const CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://host.example/x.git\n';

export interface GuardedProject {
  /** The directory that the project is in. */
  readonly outside: string;
  readonly project: string;
  put(path: string, content: string): void;
  read(path: string): string;
  guardOf(...allowed: readonly string[]): ProjectGuard;
}

/** Call at the top of a file. */
export function useGuardedProject(): GuardedProject {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "limpet-guard-")));
  const project = join(outside, "project");
  const put = (path: string, content: string) => {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  beforeEach(() => {
    rmSync(outside, { recursive: true });
    put(".git/HEAD", "ref: refs/heads/main\n");
    put(".git/config", CONFIG);
    put(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
    put(".git/hooks/pre-push.sample", "sample");
    put(".envrc", "export A=1\n");
  });
  afterAll(() => rmSync(outside, { recursive: true }));
  return {
    outside,
    project,
    put,
    read: (path) => readFileSync(join(project, path), "utf8"),
    guardOf: (...allowed) => new ProjectGuard(project, allowed),
  };
}

/** What a check of the files has done, one line for each. */
export async function check(guard: ProjectGuard): Promise<readonly string[]> {
  return (await guard.check(async () => [])).map(({ path, outcome }) => `${outcome} ${path}`);
}
