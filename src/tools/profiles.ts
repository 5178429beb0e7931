/** Which tools each profile offers, and the limits that come with it. */
import type { RegistryOptions } from "../session/registry.ts";
import { closeSession } from "./close-session.ts";
import { codexExecCommand, codexWriteStdin } from "./codex.ts";
import { execCommand } from "./exec-command.ts";
import { listSessions } from "./list-sessions.ts";
import { readOutput } from "./read-output.ts";
import { readScreen } from "./read-screen.ts";
import { resizeSession } from "./resize-session.ts";
import { run } from "./run.ts";
import type { Tool } from "./tool.ts";
import { closePtySession, listPtySessions, unifiedExec, unifiedWriteStdin } from "./unified.ts";
import { waitFor } from "./wait-for.ts";
import { writeStdin } from "./write-stdin.ts";

export interface Profile {
  readonly tools: readonly Tool[];
  readonly registry: RegistryOptions;
}

export type ProfileName = "all" | "codex" | "unified";

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  all: {
    tools: [run, execCommand, writeStdin, waitFor, readOutput, readScreen, listSessions, resizeSession, closeSession],
    registry: {},
  },
  codex: { tools: [codexExecCommand, codexWriteStdin], registry: {} },
  unified: {
    tools: [unifiedExec, unifiedWriteStdin, closePtySession, listPtySessions],
    registry: { maxSessions: 10, idleMs: 300_000 },
  },
};
