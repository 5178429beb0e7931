/** The messages between a box and its restricted thread. */
import type { MessagePort } from "node:worker_threads";
import type { LimpetError } from "../../base/limpet-error.ts";
import type { Restriction } from "../../linux/restrict/landlock.ts";
import type { SpawnOptions, Stdio } from "../../pty/spawn-program.ts";
import type { Entrance } from "./namespaces/start-keeper.ts";

export interface WorkerSetup {
  readonly restriction: Restriction;
  readonly filter: Uint8Array;
  /** The namespaces in which programs run; undefined: those of this process. */
  readonly entrance: Entrance | undefined;
  /** Whether attempts to connect are stopped, and reported to a listener. */
  readonly isStoppingConnects: boolean;
  readonly port: MessagePort;
  /** Shared with the thread that asks; see `CALLS`. */
  readonly calls: Int32Array;
}

/**
 * The indexes of `calls`: how many requests and answers there were, the pid of the last answer if it has one, and the
 * listener for attempts to connect, until somebody takes it.
 */
export const CALLS = { asked: 0, answered: 1, pid: 2, listener: 3 } as const;

export interface SpawnRequest {
  readonly options: SpawnOptions;
  readonly stdio: Stdio;
  readonly group: number | undefined;
  /** The process that keeps the namespaces: later programs follow it. */
  readonly isKeeper: boolean;
}

export type SpawnAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly code: LimpetError["code"]; readonly message: string };
