/** What happens in sessions, as plain data: for people, scripts, hooks and agents that follow them. */
import type { Exit } from "../../base/exit.ts";
import type { SessionOwner } from "../../session/registry/resolve-session.ts";
import type { WaitedFor } from "../../session/wait/decide-wait.ts";
import type { SessionName } from "../listing/session-name.ts";

/** Every kind of event. */
export const EVENT_KINDS = [
  "started",
  "waiting",
  "finished",
  "listening",
  "frozen",
  "thawed",
  "exited",
  "lost",
  "approval",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** What happened. */
export type EventDetail =
  /** A program was started. */
  | { readonly kind: "started"; readonly program: string }
  /** A program started to wait for input. */
  | { readonly kind: "waiting"; readonly waitingFor: WaitedFor }
  /** A command of a shell has finished. `command` is null if a person typed it. */
  | {
      readonly kind: "finished";
      readonly command: string | null;
      readonly exitCode: number | null;
      readonly cwd: string;
      readonly durationMs: number | null;
      readonly outOfMemory?: true;
    }
  /** A process of the session listens on a port. */
  | { readonly kind: "listening"; readonly port: number; readonly address: string }
  /** A person has stopped everything in it, or let it go on. */
  | { readonly kind: "frozen" | "thawed" }
  /** The program has ended. */
  | { readonly kind: "exited"; readonly exit: Exit }
  /** The host of the session died. */
  | { readonly kind: "lost" };

/** An agent needs a person's approval. */
interface ApprovalDetail {
  readonly kind: "approval";
  readonly number: number;
  readonly tool: string;
  /** The whole command or input. */
  readonly text: string;
  readonly directory: string | null;
  readonly client: string | null;
}

interface Happening {
  readonly owner: SessionOwner | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Something that happened. A command that needs approval may not have a session yet. */
export type SessionEvent =
  | (EventDetail & Happening & { readonly session: SessionName })
  | (ApprovalDetail & Happening & { readonly session: SessionName | null });

/** `dropped`: how many events before this one were lost, because their reader was too slow or too long away. */
export interface EventPage {
  readonly events: readonly SessionEvent[];
  readonly dropped: number;
  /** For a reader that asked with `after`: where to continue. */
  readonly token?: string;
}

/** Which events to stream. */
export interface EventOptions {
  readonly signal?: AbortSignal;
  /**
   * For a reader whose link may break: each page then has a token, the first one is empty, and after a loss the reader
   * continues after the token of its last page. Null: from now on. Rejects with `HOST_GONE` if another host gave the
   * token.
   */
  readonly after?: string | null;
}
