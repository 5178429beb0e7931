/** The profiles by name, with the limits that come with each. Whoever only asks for these need not load the tools. */
import type { RegistryOptions } from "../session/session-registry.ts";

/** A set of tools: all of limpet's, or those that a certain agent already knows. */
export type ProfileName = "all" | "codex" | "unified";

export const profileLimits: Readonly<Record<ProfileName, RegistryOptions>> = {
  all: {},
  codex: {},
  unified: { maxSessions: 10, idleMs: 300_000 },
};
