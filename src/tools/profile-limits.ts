/**
 * The profiles by name, with the limits of each. Separate from the tools, so that reading a limit does not load them.
 */
import type { RegistryOptions } from "../session/registry/registry-options.ts";

/** A set of tools: all of limpet's, or those that a particular agent already knows. */
export type ProfileName = "all" | "codex" | "unified";

export const profileLimits: Readonly<Record<ProfileName, RegistryOptions>> = {
  all: {},
  codex: {},
  unified: { maxSessions: 10, idleMs: 300_000 },
};
