/**
 * The order of the test files. Without the durations of an earlier run, Vitest starts the largest files first. A file
 * that runs the tests of others once more is small and takes long: it comes first, or the run would wait for it alone.
 * Files that share a process follow each other, or Vitest would start a process for each of them.
 */
import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = new Map(sorted.map((file) => [file, rankOf(file)]));
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.sort((one, other) => group(one) - group(other) || (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  if (project.config.isolate) return repeatsOthers(moduleId) ? 0 : 1;
  return project.name === "guarded" ? 2 : 3;
}

function repeatsOthers(path: string): boolean {
  return /^import "\.[^"]*\.test\.ts";$/m.test(readFileSync(path, "utf8"));
}
