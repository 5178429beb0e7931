/** Commands in one shell, each with what it gives. */
import { expect } from "vitest";
import type { Told } from "./shells.ts";

export type Step = readonly [command: string, expected: string | RegExp, exitCode?: number];

export async function expectSteps(run: (command: string) => Promise<Told>, steps: readonly Step[]): Promise<void> {
  for (const [command, output, exitCode = 0] of steps) {
    const expected = typeof output === "string" ? output : expect.stringMatching(output);
    expect({ command, ...(await run(command)) }).toMatchObject({ command, output: expected, exitCode });
  }
}
