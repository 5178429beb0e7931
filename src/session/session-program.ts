/** Which session it is: what is known of it before it runs, and stays. */

/** Which session it is, and what it was started with. */
export interface SessionProgram {
  /** A positive whole number, never used again in this process. */
  readonly id: number;
  readonly name: string | undefined;
  /** As given; for a `command`, the shell. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where the program started; it may be elsewhere by now. */
  readonly cwd: string;
  /** False: plain pipes instead of a terminal. */
  readonly tty: boolean;
}

/** What never changes about a session. */
export interface SessionFacts extends SessionProgram {
  readonly startedAt: number;
  readonly isLost: boolean;
}
