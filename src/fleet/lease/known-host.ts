/** A host as a door knows it. */
import type { HostState } from "./judge-host.ts";

export interface KnownHost {
  readonly name: string;
  readonly epoch: number;
  readonly state: HostState;
  readonly labels: readonly string[];
  /** How many more sessions it accepts. */
  readonly free: number;
  /** How many sessions it runs. */
  readonly sessions: number;
  /** How old its lease is; null without one. */
  readonly ageMs: number | null;
}
