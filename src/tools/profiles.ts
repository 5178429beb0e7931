/** Which tools each profile offers. */
import type { RegistryOptions } from "../session/registry/registry-options.ts";
import { closeSession } from "./close-session.ts";
import { codexExecCommand, codexWriteStdin } from "./codex-tools.ts";
import { execCommand } from "./exec-command.ts";
import { listSessions } from "./list-sessions.ts";
import { type ProfileName, profileLimits } from "./profile-limits.ts";
import { readOutput } from "./read-output.ts";
import { readScreen } from "./read-screen.ts";
import { resizeSession } from "./resize-session.ts";
import { run } from "./run.ts";
import type { Tool } from "./tool.ts";
import { closePtySession, listPtySessions, unifiedExec, unifiedWriteStdin } from "./unified-tools.ts";
import { waitFor } from "./wait-for.ts";
import { writeStdin } from "./write-stdin.ts";

export interface Profile {
  readonly tools: readonly Tool[];
  readonly registry: RegistryOptions;
}

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  all: {
    tools: [run, execCommand, writeStdin, waitFor, readOutput, readScreen, listSessions, resizeSession, closeSession],
    registry: profileLimits.all,
  },
  codex: { tools: [codexExecCommand, codexWriteStdin], registry: profileLimits.codex },
  unified: {
    tools: [unifiedExec, unifiedWriteStdin, closePtySession, listPtySessions],
    registry: profileLimits.unified,
  },
};

/** The tools of a profile, for sessions that span these places. The profiles of other agents know no places. */
export function toolsOf(profile: ProfileName, places: readonly string[] = []): readonly Tool[] {
  const { tools } = profiles[profile];
  return profile === "all" && places.length > 0 ? tools.map((tool) => tool.withPlaces?.(places) ?? tool) : tools;
}
