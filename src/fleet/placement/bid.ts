/** What a host offers when a door asks where a program can run. */
export interface Bid {
  readonly host: string;
  /** A start that was decided by this bid is for this epoch: a host that has restarted refuses it. */
  readonly epoch: number;
  /** How many sessions run there, with those that are starting. */
  readonly sessions: number;
  /** How many more sessions it takes. */
  readonly free: number;
  /** Its load average of the last minute, per processor. */
  readonly load: number;
  /** It has the container image that was asked for; true if none was. */
  readonly hasImage: boolean;
  /** It has the workspace that was asked for; true if none was. */
  readonly hasWorkspace: boolean;
}

export const NO_BID_REASONS = ["full", "draining", "cordoned"] as const;

/** A host that takes no session says why: one that says nothing may be busy. */
export interface NoBid {
  readonly refused: (typeof NO_BID_REASONS)[number];
}
