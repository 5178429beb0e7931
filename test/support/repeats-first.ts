/**
 * The order of the test files. Without the durations of an earlier run, Vitest starts the largest files first. A file
 * that runs the tests of others once more is small and takes long: it comes first, or the run would wait for it alone.
 */
import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

export class RepeatsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = new Map(sorted.map((file) => [file, repeatsOthers(file) ? 0 : 1]));
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.sort((one, other) => group(one) - group(other) || (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
  }
}

function repeatsOthers({ moduleId }: TestSpecification): boolean {
  return /^import "\.[^"]*\.test\.ts";$/m.test(readFileSync(moduleId, "utf8"));
}
