import { expect, test } from "vitest";
import type { ProfileName } from "../../src/tools/profile-limits.ts";
import { profiles } from "../../src/tools/profiles.ts";

const BYTES_PER_TOKEN = 4;

/** What a model is given of a profile. */
function tokensOf(profile: ProfileName): number {
  const given = profiles[profile].tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  return Math.ceil(Buffer.byteLength(JSON.stringify(given)) / BYTES_PER_TOKEN);
}

test.each([
  ["all", 1_850],
  ["codex", 450],
] as const)("what a model is given of the profile %s takes at most %i tokens", (profile, most) => {
  expect(tokensOf(profile)).toBeLessThanOrEqual(most);
});

test("every tool of the profile all says what it answers, and none is named twice", () => {
  const { tools } = profiles.all;

  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
});
