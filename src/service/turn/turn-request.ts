/**
 * The turn: one request to a session and its consistent answer.
 *
 * The process that owns the session runs these steps in order: start or find the session, type, wait, read. The answer
 * describes the session, its output and the other sessions at one instant. `requestId` makes a request safe to repeat:
 * the owner acts once and returns the same answer again.
 */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import type { Stroke } from "../../keys/parse-stroke.ts";
import type { SnapshotOptions } from "../../screen/take-snapshot.ts";
import type { ScreenWaitOptions } from "../../screen/wait-for-screen.ts";
import type { NewTextOptions } from "../../session/read/output-reader.ts";
import type { SearchOptions, TextOptions } from "../../session/read/read-digest.ts";
import type { WaitOptions } from "../../session/wait/wait-for.ts";
import type { SessionKey } from "../listing/session-name.ts";
import type { RunRequest, StartRequest } from "./start-request.ts";
import type { TurnVerdict } from "./turn-verdict.ts";

/** The session, or the sessions, that a turn is about. */
export type TurnTarget =
  | { readonly kind: "start"; readonly start: StartRequest }
  | { readonly kind: "run"; readonly run: RunRequest }
  | { readonly kind: "session"; readonly key: SessionKey }
  /** The answer is about the first of them whose wait ends. */
  | {
      readonly kind: "several";
      readonly keys: readonly SessionKey[] | "running";
      /**
       * The caller waits for further sessions elsewhere: rejects with `NOTHING_TO_WAIT_FOR` if nothing new is expected
       * of these.
       */
      readonly isPart?: boolean | undefined;
    };

/** What a turn types, and who types it. */
export interface TurnInput {
  readonly strokes: readonly Stroke[];
  /** The name of a secret to type at a password prompt instead, with Enter after it. */
  readonly secret?: string | undefined;
  /** A person may type into a session that is held. Default `agent`. */
  readonly by?: "agent" | "person" | undefined;
}

/** What a turn waits for: output or the screen. */
export type TurnWait =
  | ({ readonly kind: "output" } & Omit<WaitOptions, "signal">)
  | ({ readonly kind: "screen" } & Omit<ScreenWaitOptions, "signal">);

/** What a turn reads after its wait. */
export type TurnRead =
  /** What this caller has not read yet. */
  | ({
      readonly kind: "unread";
      /** After a match, read up to its end only; the rest stays unread. Default false. */
      readonly endAtMatch?: boolean | undefined;
      /**
       * Everything that was unread when the turn started, also what another turn of this caller has read since. Default
       * false: each piece of output is in one answer.
       */
      readonly whole?: boolean | undefined;
    } & NewTextOptions)
  | ({ readonly kind: "text" } & TextOptions)
  /** As much from `from` on as fits the budget, uncut; `next` is where the next page begins. */
  | ({ readonly kind: "page" } & TextOptions)
  | ({ readonly kind: "head" | "tail"; readonly lines: number } & TextOptions)
  | ({ readonly kind: "search"; readonly pattern: string } & SearchOptions)
  | ({ readonly kind: "screen" } & SnapshotOptions);

/** One request to a session: start or find it, type, wait, read. All steps but the first are optional. */
export interface TurnRequest {
  /** Who reads and types: each caller has its own position in the output of each session. */
  readonly caller: string;
  /** Unique per caller. Default: the request is not remembered. */
  readonly requestId?: string | undefined;
  readonly on: TurnTarget;
  /** Where a program or a shell starts: a place that the service spans. Default: here. */
  readonly place?: string | undefined;
  /** Marks all output so far as read by this caller before the turn types. Default false. */
  readonly skipUnread?: boolean | undefined;
  readonly input?: TurnInput | undefined;
  /** Default: no wait. */
  readonly wait?: TurnWait | undefined;
  /** Default: no output. */
  readonly read?: TurnRead | undefined;
  /**
   * The most that the programs of this turn may do: it neither starts a program in a wider sandbox nor types into one.
   */
  readonly within?: SandboxRequest | undefined;
  /** What the policy says about this turn. Default: no policy applies. */
  readonly verdict?: TurnVerdict | undefined;
  /** The most that the programs of this turn may use: it starts none with more. */
  readonly limits?: SessionLimits | undefined;
  /** The tool that the caller uses, for the audit. */
  readonly tool?: string | undefined;
  /** Only observes: does not count as use of the session and consumes no event. Default false. */
  readonly isWatch?: boolean | undefined;
  /** Ends the wait, never the program. */
  readonly signal?: AbortSignal | undefined;
}
