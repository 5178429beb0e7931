import { expect, test } from "vitest";
import { INSTRUCTIONS } from "../../src/adapters/mcp/create-mcp-server.ts";
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
  return tokensIn(JSON.stringify(given));
}

function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

test.each([
  ["all", 1_525],
  ["codex", 450],
] as const)("what a model is given of the profile %s takes at most %i tokens", (profile, most) => {
  expect(tokensOf(profile)).toBeLessThanOrEqual(most);
});

test("with the server's instructions, the nine tools take at most 1600 tokens", () => {
  expect(tokensOf("all") + tokensIn(INSTRUCTIONS)).toBeLessThanOrEqual(1_600);
});

test("every tool of the profile all says what it answers, and none is named twice", () => {
  const { tools } = profiles.all;

  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
});
