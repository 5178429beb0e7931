/** A way to run a command at a place. */
export interface Way {
  /** The command to run on this machine; `nonce` is for its bootstrap script. */
  argvFor(nonce: string): readonly string[];
  /** Where it runs. Default: the working directory of this process. */
  readonly cwd?: string;
  /** It goes over a connection that another command has made. */
  readonly isShared: boolean;
  /** The connection does not answer: the next way makes another one. */
  readonly onDead?: () => void;
}
