/** A person keeps agents from typing into a session. */
export interface Hold {
  /** The reason that the person gave. */
  readonly reason: string | null;
  /** A person is typing: the hold ends by itself some seconds after the last key. Otherwise it lasts until released. */
  readonly isTyping?: true;
}

/** How to release a session. */
export interface ReleaseOptions {
  /** For the agents: what was done, or what to do next. */
  readonly note?: string | null | undefined;
}
